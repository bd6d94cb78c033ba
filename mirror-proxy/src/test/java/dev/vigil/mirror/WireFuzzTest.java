package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.mirror.jose.CompactUpdate;
import dev.vigil.mirror.jose.CoseSign1;
import dev.vigil.mirror.jose.Header;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.Signer;
import dev.vigil.mirror.senml.Pack;
import dev.vigil.mirror.wire.Rejection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Whatever octets come: each parser answers or refuses in one line, and what it took it takes
 * again. In the everyday run over the corpus that is kept with the tests and over seeded mutations;
 * with {@code JAZZER_FUZZ=1} for ten seconds each, or as long as {@code ./vigil test --all} says.
 */
class WireFuzzTest {
  /** Nothing but a refusal may come out. */
  private static void refusesInOneLine(Runnable parse) {
    try {
      parse.run();
    } catch (Rejection e) {
      assertThat(e.line()).isNotEmpty().doesNotContain("\n").hasSizeLessThan(200);
    }
  }

  @FuzzTest(maxDuration = "10s")
  void jws(byte[] octets) {
    refusesInOneLine(() -> Jws.parse(octets));
  }

  @FuzzTest(maxDuration = "10s")
  void jwk(byte[] octets) {
    refusesInOneLine(
        () -> {
          Jwk key = Jwk.parse(octets);
          assertThat(Jwk.parse(key.json().getBytes(StandardCharsets.US_ASCII))).isEqualTo(key);
        });
  }

  @FuzzTest(maxDuration = "10s")
  void senmlJson(byte[] octets) {
    refusesInOneLine(
        () -> {
          Pack pack = Pack.readJson(octets);
          assertThat(Pack.readJson(pack.writeJson()).items()).hasSameSizeAs(pack.items());
          assertThat(Pack.readCbor(pack.writeCbor()).items()).hasSameSizeAs(pack.items());
        });
  }

  @FuzzTest(maxDuration = "10s")
  void senmlCbor(byte[] octets) {
    refusesInOneLine(
        () -> {
          Pack pack = Pack.readCbor(octets);
          assertThat(Pack.readCbor(pack.writeCbor()).items()).hasSameSizeAs(pack.items());
        });
  }

  @FuzzTest(maxDuration = "10s")
  void cose(byte[] octets) {
    refusesInOneLine(() -> CoseSign1.parse(octets));
  }

  @FuzzTest(maxDuration = "10s")
  void compactUpdate(byte[] octets) {
    refusesInOneLine(
        () -> {
          CompactUpdate update = CompactUpdate.parse(octets);
          if (!update.encrypted()) {
            Jws built = update.toJws("kid", "temp", 7, Header.ABSENT);
            Jws parsed = Jws.parse(built.octets());
            assertThat(parsed.header()).isEqualTo(built.header());
            assertThat(parsed.payload()).isEqualTo(update.payload());
            assertThat(parsed.signedLength()).isEqualTo(built.signedLength());
          }
        });
  }

  @FuzzTest(maxDuration = "10s")
  void registration(byte[] octets) {
    ClaimReader reader =
        new ClaimReader(
            Map.of("", Domain.of("", TrustPolicy.FIRST_USE)),
            (caller, action, domain) -> new Access.Allowed());
    for (var format : List.of(ContentFormat.JOSE, ContentFormat.MULTIPART)) {
      refusesInOneLine(() -> reader.read(Requests.post(format, octets), 0));
    }
  }

  /** Octets changed at random, in place of a fuzzer's, so that every run tries some. */
  @Test
  void seededMutationsOfRealObjectsAreTakenOrRefusedByEachParser() {
    Random random = new Random(8152);
    var signer = new Signer();
    byte[] senmlCbor = Pack.readJson(World.SENML).writeCbor();
    List<byte[]> real =
        List.of(
            World.update(signer, "temp", 5),
            World.registration(signer, "mote-1", 5, ",\"wake\":60"),
            World.plain(signer),
            signer.jwk().json().getBytes(StandardCharsets.US_ASCII),
            World.SENML,
            senmlCbor,
            signer.cose("temp", 5, senmlCbor),
            signer.compact(true, "temp", 5, 3, senmlCbor));
    for (int i = 0; i < 20_000; i++) {
      byte[] octets = real.get(random.nextInt(real.size())).clone();
      for (int j = random.nextInt(4); j >= 0; j--) {
        octets[random.nextInt(octets.length)] = (byte) random.nextInt(256);
      }
      byte[] cut = Arrays.copyOf(octets, octets.length - random.nextInt(3));
      jws(cut);
      jwk(cut);
      senmlJson(cut);
      senmlCbor(cut);
      cose(cut);
      compactUpdate(cut);
      registration(cut);
    }
  }
}
