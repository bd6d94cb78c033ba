package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Response;
import dev.vigil.mirror.jose.Signer;
import dev.vigil.mirror.wire.Reason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every refused update has in common, whatever the reason. */
class RefusalsTest {
  @TempDir Path folder;

  private final Signer mote = new Signer();

  private record Bad(Reason reason, String path, ContentFormat format, byte[] octets) {}

  private List<Bad> bad() {
    List<Bad> all = new ArrayList<>();
    byte[] good = World.update(mote, "temp", 3);
    byte[] forged = good.clone();
    forged[forged.length - 20] = (byte) (forged[forged.length - 20] == 'A' ? 'B' : 'A');
    String header = mote.header("application/senml+json", "temp", 3, -1);
    String withKey = header.replace("}", ",\"jku\":\"coap://x\"}");
    long ahead = World.START.getEpochSecond() + 3600;
    byte[] future = "[{\"n\":\"a\",\"v\":1,\"t\":%d}]".formatted(ahead).getBytes(UTF_8);
    all.add(jose(Reason.MALFORMED, "no JWS".getBytes(UTF_8)));
    all.add(jose(Reason.MALFORMED, World.update(mote, "temp", 3, "[]".getBytes(UTF_8))));
    all.add(new Bad(Reason.MALFORMED, "temp", ContentFormat.SIGNED_UPDATE, new byte[2]));
    all.add(new Bad(Reason.MALFORMED, "temp", ContentFormat.COSE_SIGN1, new byte[2]));
    all.add(jose(Reason.FORBIDDEN_MEMBER, mote.jws(withKey, World.SENML)));
    all.add(new Bad(Reason.WRONG_RESOURCE, "load", ContentFormat.JOSE, good));
    all.add(jose(Reason.BAD_SIGNATURE, forged));
    all.add(jose(Reason.UNKNOWN_KEY, World.update(new Signer(), "temp", 3)));
    all.add(jose(Reason.POLICY, World.update(mote, "temp", 3, future)));
    all.add(new Bad(Reason.NO_ENTRY, "none", ContentFormat.JOSE, good));
    all.add(jose(Reason.NUMBER_USED, World.update(mote, "temp", 1)));
    all.add(jose(Reason.OUTSIDE_WINDOW, World.update(mote, "temp", 10_000)));
    all.add(jose(Reason.TOO_LARGE, new byte[8193]));
    all.add(new Bad(Reason.UNKNOWN_FORMAT, "temp", ContentFormat.SENML_JSON, World.SENML));
    return all;
  }

  private static Bad jose(Reason reason, byte[] octets) {
    return new Bad(reason, "temp", ContentFormat.JOSE, octets);
  }

  @Test
  void aRefusedUpdateChangesNothingVisibleAndIsCountedByReasonAndEndpoint() {
    World world = new World(folder);
    String entry = world.registered(mote, "mote-1", 1);
    String bystander = world.registered(new Signer(), "mote-2", 1);
    world.put(entry + "/temp", World.update(mote, "temp", 2));
    List<String> events = new ArrayList<>();
    world.mirror.follow(world.mirror.position(), event -> events.add(event.text()));
    List<String> told = new ArrayList<>();
    Response read = world.get(entry + "/temp");
    world.topics.watch(Objects.requireNonNull(read.topic()), () -> told.add("told"));
    EndpointView before = world.mirror.endpoint(entry.substring(4)).orElseThrow();
    String history = World.line(world.get(entry + "/temp?after=0", ContentFormat.JWS_LIST));

    Set<Reason> met = EnumSet.noneOf(Reason.class);
    for (Bad bad : bad()) {
      long counted = count(world, entry, bad.reason());
      Response refused =
          world.ask(Method.PUT, entry + "/" + bad.path(), bad.format(), bad.octets());
      assertThat(refused.code())
          .as("%s: %s", bad, World.line(refused))
          .isEqualTo(bad.reason().code());
      assertThat(World.line(refused)).isNotEmpty().doesNotContain("\n");
      assertThat(count(world, entry, bad.reason())).as(bad.toString()).isEqualTo(counted + 1);
      met.add(bad.reason());
    }
    world.store.full(true);
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 3)).code().dotted())
        .isEqualTo("5.03");
    assertThat(count(world, entry, Reason.NOT_STORED)).isEqualTo(1);
    world.store.full(false);

    assertThat(world.mirror.endpoint(entry.substring(4))).contains(before);
    assertThat(world.get(entry + "/temp")).usingRecursiveComparison().isEqualTo(read);
    assertThat(World.line(world.get(entry + "/temp?after=0", ContentFormat.JWS_LIST)))
        .isEqualTo(history);
    assertThat(events).isEmpty();
    assertThat(told).isEmpty();
    assertThat(world.mirror.rejections(bystander.substring(4))).isEmpty();
    // The others: too fast and an address to be proved in HostileTest, keys that are not trusted in
    // TrustTest, a full queue in CommandTest.
    assertThat(met)
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.complementOf(
                EnumSet.of(
                    Reason.TOO_FAST,
                    Reason.ADDRESS_UNPROVEN,
                    Reason.NOT_TRUSTED,
                    Reason.OVERLOADED,
                    Reason.NOT_ALLOWED,
                    Reason.NOT_STORED)));
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 3)).code().dotted())
        .as("the number is free yet")
        .isEqualTo("2.04");
  }

  private static long count(World world, String entry, Reason reason) {
    return world.mirror.rejections(entry.substring(4)).stream()
        .filter(counted -> counted.reason() == reason)
        .mapToLong(RejectionCount::count)
        .sum();
  }
}
