package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.mirror.model.CommandView;
import dev.vigil.signed.jose.TestSigner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Refusals of commands by endpoints, and what they say about resources (docs/protocol.md section
 * 8).
 */
class CommandRefusalTest {
  private final TestSigner commander = new TestSigner();
  private final TestSigner mote = new TestSigner();
  private final MirrorFixture mirror;
  private final String entry;

  /** Sets up a registered mote and a commander of its domain. */
  CommandRefusalTest(@TempDir Path folder) {
    String key = commander.jwk().json();
    mirror = new MirrorFixture(folder, TestDomain.nameless().commandedBy(key).build());
    entry = mirror.registered(mote, "mote-1", 1);
  }

  private void queue(byte[] command) {
    assertThat(mirror.put(entry + "/led", command).code().dotted()).isEqualTo("2.04");
  }

  private List<CommandView.State> states() {
    return mirror.queries().commands(entry.substring(4)).stream().map(CommandView::state).toList();
  }

  /** A refusal in compact form. */
  private byte[] refusal(long seq, long ack, String reason) {
    return mote.compact(
        false,
        ".result",
        seq,
        ack,
        "[{\"n\":\"mote-1/.result\",\"v\":%s}]".formatted(reason).getBytes(UTF_8));
  }

  private String refuse(byte[] refusal) {
    return mirror
        .ask(Method.PUT, entry + "/.result", ContentFormat.SIGNED_UPDATE, refusal)
        .code()
        .dotted();
  }

  @Test
  void aCommandIsRefusedByASignedResult() {
    queue(MirrorFixture.command(commander, "mote-1", 70_003, ""));
    byte[] refusal = refusal(2, 70_003, "404");
    assertThat(refuse(refusal)).isEqualTo("2.04");
    assertThat(states()).containsExactly(CommandView.State.REFUSED);
    assertThat(mirror.queries().commands(entry.substring(4)).getFirst().reason()).isEqualTo(404);
    assertThat(MirrorFixture.line(mirror.get(entry + "?commands", ContentFormat.JSON)))
        .contains("\"state\":\"refused\"", "\"reason\":404");
    assertThat(mirror.get(entry + "?pending").payload()).isEmpty();
    assertThat(mirror.get(entry + "/.result").code().dotted()).as("no value").isEqualTo("4.04");
    mirror.restart();
    assertThat(states()).containsExactly(CommandView.State.REFUSED);
    assertThat(refuse(refusal)).as("retransmission").isEqualTo("2.04");
    assertThat(refuse(refusal(3, 70_003, "404"))).as("ended before").isEqualTo("4.04");
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2)).code().dotted())
        .as("its number is used")
        .isEqualTo("4.09");
  }

  private boolean isWritable(String path) {
    return mirror.queries().endpoint(entry.substring(4)).orElseThrow().resources().stream()
        .filter(resource -> resource.path().equals(path))
        .findAny()
        .orElseThrow()
        .writable();
  }

  @Test
  void aResourceAcceptsCommandsAsItsLinkOrItsLastCommandSays() {
    assertThat(isWritable("led")).as("its link says nothing").isFalse();
    queue(MirrorFixture.command(commander, "mote-1", 1, ""));
    mirror.ask(
        Method.PUT,
        entry + "/temp",
        ContentFormat.SIGNED_UPDATE,
        mote.compact(false, "temp", 2, 1, MirrorFixture.SENML));
    assertThat(isWritable("led")).as("it confirmed a command").isTrue();
    assertThat(isWritable("temp")).isFalse();
    queue(MirrorFixture.command(commander, "mote-1", 2, ""));
    refuse(refusal(3, 2, "500"));
    assertThat(isWritable("led")).as("it failed once").isTrue();
    queue(MirrorFixture.command(commander, "mote-1", 3, ""));
    refuse(refusal(4, 3, "404"));
    assertThat(isWritable("led")).as("it has no such resource any more").isFalse();

    mirror.register(
        mote, "mote-1", 5, "", "</temp>;if=\"core.s\",</valve>;rt=\"v\";if=\"core.s core.a\"");
    assertThat(isWritable("valve")).as("its link says so").isTrue();
    assertThat(isWritable("temp")).isFalse();
  }

  @Test
  void aRefusalInAnyFormHasItsReason() {
    queue(MirrorFixture.command(commander, "mote-1", 1, ""));
    queue(MirrorFixture.command(commander, "mote-1", 2, ""));
    byte[] jws =
        mote.jws(
            mote.header("application/senml+json", ".result", 2, 1),
            "[{\"n\":\"mote-1/.result\",\"v\":500}]".getBytes(UTF_8));
    assertThat(mirror.put(entry + "/.result", jws).code().dotted()).isEqualTo("2.04");
    assertThat(mirror.put(entry + "/.result", jws).code().dotted()).isEqualTo("2.04");
    assertThat(states()).containsExactly(CommandView.State.REFUSED, CommandView.State.QUEUED);
    assertThat(mirror.get(entry + "?pending").payload()).isNotEmpty();
  }

  @Test
  void aMalformedOrForgedRefusalEndsNoCommand() {
    queue(MirrorFixture.command(commander, "mote-1", 1, ""));
    for (String reason : List.of("399", "600", "404.5", "1e9", "404},{\"v\":404")) {
      String code = refuse(refusal(2, 1, reason));
      assertThat(code).as(reason).isEqualTo("4.00");
    }
    byte[] withoutAck =
        mote.jws(
            mote.header("application/senml+json", ".result", 2, -1),
            "[{\"n\":\"a\",\"v\":404}]".getBytes(UTF_8));
    assertThat(mirror.put(entry + "/.result", withoutAck).code().dotted()).isEqualTo("4.00");
    byte[] forged = refusal(2, 1, "404");
    forged[forged.length - 1] ^= 1;
    assertThat(refuse(forged)).isEqualTo("4.01");
    assertThat(states()).containsExactly(CommandView.State.QUEUED);
  }

  /** The endpoint lost power while it carried them out, and no radio could take its refusal. */
  @Test
  void aRefusalEndsAnExpiredOrCancelledCommand() {
    queue(
        MirrorFixture.command(
            commander, "mote-1", 1, ",\"exp\":" + (mirror.clock.instant().getEpochSecond() + 60)));
    queue(MirrorFixture.command(commander, "mote-1", 2, ""));
    mirror.clock.forward(Duration.ofSeconds(61));
    mirror.operations().cancelCommand(entry.substring(4), 2, "operator").join();

    assertThat(refuse(refusal(2, 1, "500"))).as("expired").isEqualTo("2.04");
    assertThat(refuse(refusal(3, 2, "500"))).as("cancelled").isEqualTo("2.04");
    assertThat(states()).containsOnly(CommandView.State.REFUSED);
    assertThat(refuse(refusal(4, 1, "404"))).as("its result is known").isEqualTo("4.04");
  }
}
