package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalCount;
import dev.vigil.signed.jose.TestSigner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The effects of a refused update, for every reason. */
class RefusalsTest {
  @TempDir Path folder;

  private final TestSigner mote = new TestSigner();

  private record BadUpdate(Reason reason, String path, ContentFormat format, byte[] octets) {}

  private List<BadUpdate> badUpdates() {
    List<BadUpdate> all = new ArrayList<>();
    byte[] good = MirrorFixture.update(mote, "temp", 3);
    byte[] forged = good.clone();
    forged[forged.length - 20] = (byte) (forged[forged.length - 20] == 'A' ? 'B' : 'A');
    String header = mote.header("application/senml+json", "temp", 3, -1);
    String withKey = header.replace("}", ",\"jku\":\"coap://x\"}");
    long ahead = MirrorFixture.START.getEpochSecond() + 3600;
    byte[] future = "[{\"n\":\"a\",\"v\":1,\"t\":%d}]".formatted(ahead).getBytes(UTF_8);
    all.add(jose(Reason.MALFORMED, "no JWS".getBytes(UTF_8)));
    all.add(jose(Reason.MALFORMED, MirrorFixture.update(mote, "temp", 3, "[]".getBytes(UTF_8))));
    all.add(new BadUpdate(Reason.MALFORMED, "temp", ContentFormat.SIGNED_UPDATE, new byte[2]));
    all.add(new BadUpdate(Reason.MALFORMED, "temp", ContentFormat.COSE_SIGN1, new byte[2]));
    all.add(jose(Reason.FORBIDDEN_MEMBER, mote.jws(withKey, MirrorFixture.SENML)));
    all.add(new BadUpdate(Reason.WRONG_RESOURCE, "load", ContentFormat.JOSE, good));
    all.add(jose(Reason.BAD_SIGNATURE, forged));
    all.add(jose(Reason.UNKNOWN_KEY, MirrorFixture.update(new TestSigner(), "temp", 3)));
    all.add(jose(Reason.POLICY, MirrorFixture.update(mote, "temp", 3, future)));
    all.add(
        new BadUpdate(
            Reason.NO_ENTRY, "none", ContentFormat.JOSE, MirrorFixture.update(mote, "none", 3)));
    all.add(jose(Reason.NUMBER_USED, MirrorFixture.update(mote, "temp", 1)));
    all.add(jose(Reason.OUTSIDE_WINDOW, MirrorFixture.update(mote, "temp", 10_000)));
    all.add(jose(Reason.TOO_LARGE, new byte[8193]));
    all.add(
        new BadUpdate(
            Reason.UNKNOWN_FORMAT, "temp", ContentFormat.SENML_JSON, MirrorFixture.SENML));
    return all;
  }

  private static BadUpdate jose(Reason reason, byte[] octets) {
    return new BadUpdate(reason, "temp", ContentFormat.JOSE, octets);
  }

  @Test
  void aRefusedUpdateIsCountedAndChangesNothingVisible() {
    MirrorFixture mirror = new MirrorFixture(folder);
    String entry = mirror.registered(mote, "mote-1", 1);
    String bystander = mirror.registered(new TestSigner(), "mote-2", 1);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));
    List<String> events = new ArrayList<>();
    mirror.queries().follow(mirror.queries().position(), event -> events.add(event.text()));
    List<String> notifications = new ArrayList<>();
    Response read = mirror.get(entry + "/temp");
    mirror.topics.watch(Objects.requireNonNull(read.topic()), () -> notifications.add("changed"));
    EndpointView before = mirror.queries().endpoint(entry.substring(4)).orElseThrow();
    String history =
        MirrorFixture.line(mirror.get(entry + "/temp?after=0", ContentFormat.JWS_LIST));

    Set<Reason> covered = EnumSet.noneOf(Reason.class);
    for (BadUpdate bad : badUpdates()) {
      long counted = count(mirror, entry, bad.reason());
      Response refused =
          mirror.ask(Method.PUT, entry + "/" + bad.path(), bad.format(), bad.octets());
      assertThat(refused.code())
          .as("%s: %s", bad, MirrorFixture.line(refused))
          .isEqualTo(bad.reason().code());
      assertThat(MirrorFixture.line(refused)).isNotEmpty().doesNotContain("\n");
      assertThat(count(mirror, entry, bad.reason())).as(bad.toString()).isEqualTo(counted + 1);
      covered.add(bad.reason());
    }
    mirror.store.full(true);
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 3)).code().dotted())
        .isEqualTo("5.03");
    assertThat(count(mirror, entry, Reason.NOT_STORED)).isEqualTo(1);
    mirror.store.full(false);

    assertThat(mirror.queries().endpoint(entry.substring(4))).contains(before);
    assertThat(mirror.get(entry + "/temp")).usingRecursiveComparison().isEqualTo(read);
    assertThat(MirrorFixture.line(mirror.get(entry + "/temp?after=0", ContentFormat.JWS_LIST)))
        .isEqualTo(history);
    assertThat(events).isEmpty();
    assertThat(notifications).isEmpty();
    assertThat(mirror.queries().refusals(bystander.substring(4))).isEmpty();
    // HostileTest covers TOO_FAST and ADDRESS_UNPROVEN, TrustTest NOT_TRUSTED, CommandTest
    // OVERLOADED, UNKNOWN_COMMANDER and VALUE_NOT_ACCEPTED.
    assertThat(covered)
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.complementOf(
                EnumSet.of(
                    Reason.TOO_FAST,
                    Reason.VALUE_NOT_ACCEPTED,
                    Reason.ADDRESS_UNPROVEN,
                    Reason.NOT_TRUSTED,
                    Reason.UNKNOWN_COMMANDER,
                    Reason.OVERLOADED,
                    Reason.NOT_ALLOWED,
                    Reason.NOT_STORED)));
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 3)).code().dotted())
        .as("the number is still unused")
        .isEqualTo("2.04");
  }

  private static long count(MirrorFixture mirror, String entry, Reason reason) {
    return mirror.queries().refusals(entry.substring(4)).stream()
        .filter(counted -> counted.reason() == reason)
        .mapToLong(RefusalCount::count)
        .sum();
  }
}
