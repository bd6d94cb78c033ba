package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.mirror.model.SequenceRule;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.CoseSign1;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.signed.senml.SenmlPack;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of H: it never moves back, and no older value is shown after a newer one. */
class FreshnessPropertyTest {
  @TempDir Path folder;

  private record Captured(byte[] octets, ContentFormat format, long seq) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noOrderOfLossesReplaysAndForgeriesMovesHBack(long seed) {
    Random random = new Random(seed);
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1 + random.nextInt(100_000));
    String id = entry.substring(4);
    long counter = mirror.queries().endpoint(id).orElseThrow().high();
    List<Captured> captured = new ArrayList<>();
    long high = counter;
    long shown = 0;
    int steps = "1".equals(System.getenv("VIGIL_TEST_ALL")) ? 250 : 80;
    for (int step = 0; step < steps; step++) {
      counter += 1 + (random.nextInt(10) == 0 ? random.nextInt(6000) : random.nextInt(3));
      boolean compact = random.nextBoolean();
      byte[] octets =
          compact
              ? mote.compact(false, "temp", counter, -1, MirrorFixture.SENML)
              : MirrorFixture.update(mote, "temp", counter);
      Captured fresh =
          new Captured(octets, compact ? ContentFormat.SIGNED_UPDATE : ContentFormat.JOSE, counter);
      captured.add(fresh);
      Captured sent =
          switch (random.nextInt(4)) {
            case 0 -> captured.get(random.nextInt(captured.size()));
            case 1 -> forged(random, fresh);
            default -> fresh;
          };
      if (random.nextInt(5) > 0) {
        mirror.ask(Method.PUT, entry + "/temp", sent.format(), sent.octets());
      }
      if (random.nextInt(25) == 0) {
        mirror.restart();
      }
      long highNow = mirror.queries().endpoint(id).orElseThrow().high();
      assertThat(highNow).isGreaterThanOrEqualTo(high);
      high = highNow;
      byte[] value = mirror.get(entry + "/temp").payload();
      if (mirror.get(entry + "/temp").code().isSuccess()) {
        Jws jws = Jws.parse(value);
        assertThat(MirrorFixture.SIGNATURES.verify(mote.jwk(), jws)).isTrue();
        assertThat(jws.header().seq()).isGreaterThanOrEqualTo(shown).isEqualTo(high);
        shown = jws.header().seq();
      }
      if (counter - high > 4096) {
        // After a 4.09 a mote registers with a number above H.
        counter = Math.max(counter, high) + 1;
        mirror.register(mote, "mote-1", counter, "");
        high = mirror.queries().endpoint(id).orElseThrow().high();
        mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", ++counter));
        high = counter;
        shown = counter;
      }
    }
    assertThat(shown).isPositive();
  }

  private static Captured forged(Random random, Captured real) {
    byte[] changed = real.octets().clone();
    int at = random.nextInt(changed.length);
    changed[at] ^= (byte) (1 << random.nextInt(8));
    return new Captured(changed, real.format(), real.seq());
  }

  @Test
  void sixteenBitsStandForTheSmallestNumberAboveH() {
    Random random = new Random(38);
    for (int i = 0; i < 10_000; i++) {
      long high = random.nextLong() & ((1L << random.nextInt(1, 53)) - 1);
      int low = random.nextInt(1 << 16);
      long number = SequenceRule.expand(low, high);
      assertThat(number).isGreaterThan(high);
      assertThat(number & 0xffff).isEqualTo(low);
      assertThat(number - high).isLessThanOrEqualTo(1 << 16);
    }
  }

  @Test
  void numbersAbove2To53Minus1AreRefusedInEveryForm() {
    long last = (1L << 53) - 1;
    SequenceRule.requireFresh(last, last - 1, 4096);
    assertThatThrownBy(() -> SequenceRule.requireFresh(last + 1, last, 4096))
        .isInstanceOfSatisfying(
            RequestRefused.class, e -> assertThat(e.reason()).isEqualTo(Reason.MALFORMED));
    TestSigner mote = new TestSigner();
    byte[] senml = SenmlPack.readJson(MirrorFixture.SENML).writeCbor();
    assertThat(CoseSign1.parse(mote.cose("temp", last, senml)).header().seq()).isEqualTo(last);
    assertThatThrownBy(() -> CoseSign1.parse(mote.cose("temp", last + 1, senml)))
        .isInstanceOf(SignedObjectException.class);
  }
}
