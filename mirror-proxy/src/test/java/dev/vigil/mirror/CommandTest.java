package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.model.CommandView;
import dev.vigil.mirror.read.MirrorEvent;
import dev.vigil.signed.jose.TestSigner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands to sleepy endpoints (docs/protocol.md section 8). */
class CommandTest {
  private final TestSigner commander = new TestSigner();
  private final TestSigner mote = new TestSigner();

  private final MirrorFixture mirror;
  private final String entry;

  /** Sets up a registered mote and a commander of its domain. */
  CommandTest(@TempDir Path folder) {
    String key = commander.jwk().json();
    mirror = new MirrorFixture(folder, TestDomain.nameless().commandedBy(key).build());
    entry = mirror.registered(mote, "mote-1", 1);
  }

  private Response queue(byte[] command) {
    return mirror.put(entry + "/led", command);
  }

  @Test
  void aCommandIsQueuedFetchedAndConfirmedByASignedAck() {
    byte[] command = MirrorFixture.command(commander, "mote-1", 70_003, "");
    assertThat(queue(command).code().dotted()).isEqualTo("2.04");
    assertThat(states()).containsExactly(CommandView.State.QUEUED);
    assertThat(queue(command).code().dotted()).as("retransmission").isEqualTo("2.04");
    assertThat(states()).hasSize(1);

    String pending = MirrorFixture.line(mirror.get(entry + "?pending"));
    assertThat(pending).isEqualTo("<" + entry + "/led?command=70003>;ct=65100");
    assertThat(mirror.get(entry + "/led?command=70003").payload()).isEqualTo(command);
    assertThat(states()).containsExactly(CommandView.State.FETCHED);

    byte[] ack = mote.compact(false, "temp", 2, 70_003, MirrorFixture.SENML);
    assertThat(
            mirror
                .ask(Method.PUT, entry + "/temp", ContentFormat.SIGNED_UPDATE, ack)
                .code()
                .dotted())
        .isEqualTo("2.01");
    assertThat(states()).containsExactly(CommandView.State.CONFIRMED);
    assertThat(mirror.get(entry + "?pending").payload()).isEmpty();
    assertThat(MirrorFixture.line(mirror.get(entry + "?commands"))).isEqualTo("70003");
    mirror.restart();
    assertThat(states()).containsExactly(CommandView.State.CONFIRMED);
    assertThat(
            mirror
                .ask(Method.PUT, entry + "/temp", ContentFormat.SIGNED_UPDATE, ack)
                .code()
                .dotted())
        .as("retransmission of the acknowledging update")
        .isEqualTo("2.04");
  }

  private Response queueLevel(long seq, String cty, String payload) {
    String header =
        "{\"alg\":\"ES256\",\"typ\":\"vigil-cmd\",\"cty\":\"%s\",\"kid\":\"%s\",\"ep\":\"mote-1\",\"res\":\"level\",\"seq\":%d}"
            .formatted(cty, commander.jkt(), seq);
    return mirror.put(entry + "/level", commander.jws(header, payload.getBytes(UTF_8)));
  }

  @Test
  void aValueThatTheLinkExcludesIsNotQueued() {
    mirror.register(mote, "mote-1", 2, "", "</level>;minimum=0;maximum=100;multipleOf=5");
    String senml = "application/senml+json";
    Response refused = queueLevel(1, senml, "[{\"n\":\"level\",\"v\":103}]");
    assertThat(refused.code().dotted()).isEqualTo("4.00");
    assertThat(MirrorFixture.line(refused))
        .isEqualTo("level takes a number from 0 up to 100 that is a multiple of 5, not 103");
    for (String other :
        List.of("[{\"v\":7}]", "[{\"v\":5},{\"v\":6}]", "[{\"vs\":\"5\"}]", "[{\"s\":5}]")) {
      assertThat(queueLevel(1, senml, other).code().dotted()).as(other).isEqualTo("4.00");
    }
    assertThat(queueLevel(1, "text/plain", "101").code().dotted()).isEqualTo("4.00");
    assertThat(states()).isEmpty();
    assertThat(queueLevel(1, "text/plain", "100").code().dotted()).isEqualTo("2.04");
    assertThat(queueLevel(2, senml, "[{\"bn\":\"level\",\"v\":95}]").code().dotted())
        .isEqualTo("2.04");
    assertThat(queueLevel(3, "application/octet-stream", "x").code().dotted())
        .as("content that the mirror does not know")
        .isEqualTo("2.04");
    assertThat(states()).hasSize(3);
  }

  @Test
  void aReplayedCommandIsAnsweredWithTheLastNumber() {
    byte[] first = MirrorFixture.command(commander, "mote-1", 1, "");
    byte[] second = MirrorFixture.command(commander, "mote-1", 2, "");
    queue(second);
    Response refused = queue(first);
    assertThat(refused.code().dotted()).isEqualTo("4.09");
    assertThat(MirrorFixture.line(refused)).isEqualTo("2");
  }

  @Test
  void onlyCommandersOfTheDomainMayCommand() {
    assertThat(queue(MirrorFixture.command(new TestSigner(), "mote-1", 1, "")).code().dotted())
        .isEqualTo("4.03");
    assertThat(queue(MirrorFixture.command(mote, "mote-1", 1, "")).code().dotted())
        .as("the mote's own key may not command")
        .isEqualTo("4.03");
    byte[] forged = MirrorFixture.command(commander, "mote-1", 1, "");
    forged[forged.length - 20] = (byte) (forged[forged.length - 20] == 'A' ? 'B' : 'A');
    assertThat(queue(forged).code().dotted()).isEqualTo("4.01");
    assertThat(states()).isEmpty();
  }

  @Test
  void aCommandForAnotherEndpointIsRefused() {
    assertThat(queue(MirrorFixture.command(commander, "mote-2", 1, "")).code().dotted())
        .isEqualTo("4.00");
    assertThat(queue(MirrorFixture.command(commander, "mote-1", 1, ",\"d\":\"x\"")).code().dotted())
        .isEqualTo("4.00");
    assertThat(
            mirror
                .put(entry + "/temp", MirrorFixture.command(commander, "mote-1", 1, ""))
                .code()
                .dotted())
        .isEqualTo("4.00");
  }

  @Test
  void aFullQueueRefusesWithMaxAgeUntilCommandsExpire() {
    long exp = mirror.clock.instant().getEpochSecond() + 100;
    for (int seq = 1; seq <= 16; seq++) {
      assertThat(
              queue(MirrorFixture.command(commander, "mote-1", seq, ",\"exp\":" + exp))
                  .code()
                  .dotted())
          .isEqualTo("2.04");
    }
    Response full = queue(MirrorFixture.command(commander, "mote-1", 17, ""));
    assertThat(full.code().dotted()).isEqualTo("5.03");
    assertThat(full.maxAge()).isPositive();
    mirror.clock.forward(Duration.ofSeconds(101));
    assertThat(queue(MirrorFixture.command(commander, "mote-1", 17, "")).code().dotted())
        .isEqualTo("2.04");
    assertThat(states()).contains(CommandView.State.EXPIRED);
  }

  @Test
  void aForgottenEndpointKeepsItsLastCommandNumber() {
    byte[] recorded = MirrorFixture.command(commander, "mote-1", 7, "");
    queue(recorded);
    for (int life = 1; life < 4; life++) {
      mirror.operations().forgetEndpoint(entry.substring(4), "alice").join();
      if (life == 2) {
        mirror.restart();
      }
      mirror.registered(mote, "mote-1", 100 * life);
      if (life == 3) {
        mirror.restart();
      }
      assertThat(states()).as("waiting commands are forgotten").isEmpty();
      assertThat(MirrorFixture.line(mirror.get(entry + "?commands"))).isEqualTo("7");
      Response replayed = queue(recorded);
      assertThat(replayed.code().dotted()).isEqualTo("4.09");
      assertThat(MirrorFixture.line(replayed)).isEqualTo("7");
    }
    assertThat(queue(MirrorFixture.command(commander, "mote-1", 8, "")).code().dotted())
        .isEqualTo("2.04");
  }

  @Test
  void aPlainRegistrationKeepsTheLastCommandNumber() {
    byte[] recorded = MirrorFixture.command(commander, "mote-1", 7, "");
    queue(recorded);
    mirror.operations().forgetEndpoint(entry.substring(4), "alice").join();
    Response plain =
        mirror.ask(
            Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, MirrorFixture.plain(mote));
    assertThat(
            mirror
                .put(MirrorFixture.entry(plain) + "/temp", MirrorFixture.update(mote, "temp", 9))
                .code()
                .dotted())
        .isEqualTo("2.01");
    assertThat(queue(recorded).code().dotted()).isEqualTo("4.09");
  }

  @Test
  void commandsSurviveARotationAndARestart() {
    queue(MirrorFixture.command(commander, "mote-1", 7, ""));
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));
    byte[] rotation = MirrorFixture.rotation(mote, new TestSigner(), "mote-1", 3, "");
    assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, rotation).code().dotted())
        .isEqualTo("2.01");
    assertThat(states()).containsExactly(CommandView.State.QUEUED);
    mirror.restart();
    assertThat(states()).containsExactly(CommandView.State.QUEUED);
    assertThat(mirror.get(entry + "/temp").code().dotted()).isEqualTo("2.05");
  }

  @Test
  void anOperatorCancelsACommand() {
    queue(MirrorFixture.command(commander, "mote-1", 1, ""));
    mirror.operations().cancelCommand(entry.substring(4), 1, "alice").join();
    assertThat(states()).containsExactly(CommandView.State.CANCELLED);
    assertThat(mirror.get(entry + "/led?command=1").code().dotted()).isEqualTo("4.04");
  }

  /** The endpoint carried them out in time, but its acknowledgement came later. */
  @Test
  void anAcknowledgementConfirmsAnExpiredOrCancelledCommand() {
    queue(MirrorFixture.command(commander, "mote-1", 1, ",\"exp\":" + (now() + 60)));
    queue(MirrorFixture.command(commander, "mote-1", 2, ""));
    mirror.clock.forward(Duration.ofSeconds(61));
    mirror.proxy().expireCommands();
    mirror.operations().cancelCommand(entry.substring(4), 2, "operator").join();
    assertThat(states()).containsExactly(CommandView.State.EXPIRED, CommandView.State.CANCELLED);

    for (long seq = 1; seq <= 2; seq++) {
      byte[] ack = mote.compact(false, "temp", seq + 1, seq, MirrorFixture.SENML);
      mirror.ask(Method.PUT, entry + "/temp", ContentFormat.SIGNED_UPDATE, ack);
    }
    assertThat(states()).containsOnly(CommandView.State.CONFIRMED);
  }

  @Test
  void readersAndObserversSeeTheStateOfEachCommand() {
    String commands = entry + "?commands";
    queue(MirrorFixture.command(commander, "mote-1", 1, ""));
    queue(MirrorFixture.command(commander, "mote-1", 2, ",\"exp\":" + (now() + 60)));
    queue(MirrorFixture.command(commander, "mote-1", 3, ""));
    queue(MirrorFixture.command(commander, "mote-1", 4, ""));
    Response first = mirror.get(commands, ContentFormat.JSON);
    assertThat(MirrorFixture.line(first))
        .startsWith("{\"commands\":[{\"path\":\"led\",\"seq\":1,\"by\":\"" + commander.jkt())
        .endsWith("\"last\":4}")
        .doesNotContain("jws");
    List<String> seen = new ArrayList<>();
    mirror.topics.watch(Objects.requireNonNull(first.topic()), () -> seen.add(statesIn(commands)));

    mirror.get(entry + "/led?command=1");
    mirror.put(
        entry + "/led",
        mote.jws(mote.header("application/senml+json", "led", 2, 1), MirrorFixture.LED));
    mirror.operations().cancelCommand(entry.substring(4), 3, "alice").join();
    mirror.clock.forward(Duration.ofSeconds(61));
    mirror.proxy().expireCommands();

    assertThat(seen)
        .containsExactly(
            "fetched queued queued queued",
            "confirmed queued queued queued",
            "confirmed queued cancelled queued",
            "confirmed expired cancelled queued");
    mirror.restart();
    assertThat(statesIn(commands)).isEqualTo(seen.getLast());
    assertThat(MirrorFixture.line(mirror.get(commands))).as("last number").isEqualTo("4");
    assertThat(mirror.get(commands, ContentFormat.JOSE).code().dotted()).isEqualTo("4.06");
  }

  private long now() {
    return mirror.clock.instant().getEpochSecond();
  }

  /** The states of the commands, ordered by number. */
  private String statesIn(String uri) {
    return Pattern.compile("\"state\":\"(\\w+)\"")
        .matcher(MirrorFixture.line(mirror.get(uri, ContentFormat.JSON)))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.joining(" "));
  }

  private List<CommandView.State> states() {
    return mirror.queries().commands(entry.substring(4)).stream().map(CommandView::state).toList();
  }

  @Test
  void aFetchedCommandSurvivesARestartAndItsExpiryIsAnEvent() {
    long exp = mirror.clock.instant().getEpochSecond() + 60;
    queue(MirrorFixture.command(commander, "mote-1", 1, ",\"exp\":" + exp));
    mirror.get(entry + "/led?command=1");
    mirror.restart();
    assertThat(states()).containsExactly(CommandView.State.FETCHED);
    assertThat(MirrorFixture.line(mirror.get(entry + "?pending"))).as("still pending").isNotEmpty();
    List<MirrorEvent> seen = new ArrayList<>();
    mirror.queries().follow(mirror.queries().position(), seen::add);
    mirror.proxy().expireCommands();
    assertThat(seen).isEmpty();
    mirror.clock.forward(Duration.ofSeconds(61));
    mirror.proxy().expireCommands();
    mirror.proxy().expireCommands();
    assertThat(states()).containsExactly(CommandView.State.EXPIRED);
    assertThat(seen)
        .extracting(MirrorEvent::kind)
        .containsExactly(MirrorEvent.Kind.COMMAND, MirrorEvent.Kind.TRUST);
    assertThat(seen.getLast().text()).isEqualTo("expired: command 1");
  }
}
