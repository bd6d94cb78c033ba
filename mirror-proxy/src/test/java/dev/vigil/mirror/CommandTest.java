package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Response;
import dev.vigil.mirror.jose.Signer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands to sleepers (section 8 of the protocol). */
class CommandTest {
  private static final byte[] LED = "[{\"n\":\"led\",\"vb\":true}]".getBytes(UTF_8);

  private final Signer commander = new Signer();
  private final Signer mote = new Signer();

  private final World world;
  private final String entry;

  /** A registered mote, and a commander of its domain. */
  CommandTest(@TempDir Path folder) {
    String key = commander.jwk().json();
    world = new World(folder, TestDomain.nameless().commandedBy(key).build());
    entry = world.registered(mote, "mote-1", 1);
  }

  private byte[] command(Signer key, String ep, long seq, String more) {
    return key.jws(
        "{\"alg\":\"ES256\",\"typ\":\"vigil-cmd\",\"cty\":\"application/senml+json\",\"kid\":\"%s\",\"ep\":\"%s\",\"res\":\"led\",\"seq\":%d%s}"
            .formatted(key.jkt(), ep, seq, more),
        LED);
  }

  private Response queue(byte[] command) {
    return world.put(entry + "/led", command);
  }

  @Test
  void aCommandIsQueuedFetchedAndConfirmedByASignedAcknowledgement() {
    byte[] command = command(commander, "mote-1", 70_003, "");
    assertThat(queue(command).code().dotted()).isEqualTo("2.04");
    assertThat(states()).containsExactly(CommandView.State.QUEUED);
    assertThat(queue(command).code().dotted()).as("the same again").isEqualTo("2.04");
    assertThat(states()).hasSize(1);

    String pending = World.line(world.get(entry + "?pending"));
    assertThat(pending).isEqualTo("<" + entry + "/led?command=70003>;ct=65100");
    assertThat(world.get(entry + "/led?command=70003").payload()).isEqualTo(command);
    assertThat(states()).containsExactly(CommandView.State.FETCHED);

    byte[] ack = mote.compact(false, "temp", 2, 70_003, World.SENML);
    assertThat(
            world
                .ask(Method.PUT, entry + "/temp", ContentFormat.SIGNED_UPDATE, ack)
                .code()
                .dotted())
        .isEqualTo("2.01");
    assertThat(states()).containsExactly(CommandView.State.CONFIRMED);
    assertThat(world.get(entry + "?pending").payload()).isEmpty();
    assertThat(World.line(world.get(entry + "?commands"))).isEqualTo("70003");
    world.restart();
    assertThat(states()).containsExactly(CommandView.State.CONFIRMED);
    assertThat(
            world
                .ask(Method.PUT, entry + "/temp", ContentFormat.SIGNED_UPDATE, ack)
                .code()
                .dotted())
        .as("the acknowledging update again")
        .isEqualTo("2.04");
  }

  @Test
  void aReplayedCommandIsRefusedAndTheLastNumberTold() {
    byte[] first = command(commander, "mote-1", 1, "");
    byte[] second = command(commander, "mote-1", 2, "");
    queue(second);
    Response refused = queue(first);
    assertThat(refused.code().dotted()).isEqualTo("4.09");
    assertThat(World.line(refused)).isEqualTo("2");
  }

  @Test
  void onlyCommandersOfTheDomainCommand() {
    assertThat(queue(command(new Signer(), "mote-1", 1, "")).code().dotted()).isEqualTo("4.03");
    assertThat(queue(command(mote, "mote-1", 1, "")).code().dotted())
        .as("typ decides, the mote's own key does not command")
        .isEqualTo("4.03");
    byte[] forged = command(commander, "mote-1", 1, "");
    forged[forged.length - 20] = (byte) (forged[forged.length - 20] == 'A' ? 'B' : 'A');
    assertThat(queue(forged).code().dotted()).isEqualTo("4.01");
    assertThat(states()).isEmpty();
  }

  @Test
  void aCommandForAnotherEndpointIsRefused() {
    assertThat(queue(command(commander, "mote-2", 1, "")).code().dotted()).isEqualTo("4.00");
    assertThat(queue(command(commander, "mote-1", 1, ",\"d\":\"x\"")).code().dotted())
        .isEqualTo("4.00");
    assertThat(world.put(entry + "/temp", command(commander, "mote-1", 1, "")).code().dotted())
        .isEqualTo("4.00");
  }

  @Test
  void aFullQueueSaysWhenToComeBackAndExpiredCommandsMakeRoom() {
    long exp = world.clock.instant().getEpochSecond() + 100;
    for (int seq = 1; seq <= 16; seq++) {
      assertThat(queue(command(commander, "mote-1", seq, ",\"exp\":" + exp)).code().dotted())
          .isEqualTo("2.04");
    }
    Response full = queue(command(commander, "mote-1", 17, ""));
    assertThat(full.code().dotted()).isEqualTo("5.03");
    assertThat(full.maxAge()).isPositive();
    world.clock.forward(Duration.ofSeconds(101));
    assertThat(queue(command(commander, "mote-1", 17, "")).code().dotted()).isEqualTo("2.04");
    assertThat(states()).contains(CommandView.State.EXPIRED);
  }

  @Test
  void anOperatorTakesACommandBack() {
    queue(command(commander, "mote-1", 1, ""));
    world.mirror.cancel(entry.substring(4), 1, "alice").join();
    assertThat(states()).containsExactly(CommandView.State.CANCELLED);
    assertThat(world.get(entry + "/led?command=1").code().dotted()).isEqualTo("4.04");
  }

  @Test
  void howFarEachCommandGotIsToldToReadersAndWatchersAndAfterARestart() {
    String commands = entry + "?commands";
    queue(command(commander, "mote-1", 1, ""));
    queue(command(commander, "mote-1", 2, ",\"exp\":" + (now() + 60)));
    queue(command(commander, "mote-1", 3, ""));
    queue(command(commander, "mote-1", 4, ""));
    Response first = world.get(commands, ContentFormat.JSON);
    assertThat(World.line(first))
        .startsWith("{\"commands\":[{\"path\":\"led\",\"seq\":1,\"by\":\"" + commander.jkt())
        .endsWith("\"last\":4}")
        .doesNotContain("jws");
    List<String> seen = new ArrayList<>();
    world.topics.watch(Objects.requireNonNull(first.topic()), () -> seen.add(told(commands)));

    world.get(entry + "/led?command=1");
    world.put(entry + "/led", mote.jws(mote.header("application/senml+json", "led", 2, 1), LED));
    world.mirror.cancel(entry.substring(4), 3, "alice").join();
    world.clock.forward(Duration.ofSeconds(61));
    world.mirror.pass();

    assertThat(seen)
        .containsExactly(
            "fetched queued queued queued",
            "confirmed queued queued queued",
            "confirmed queued cancelled queued",
            "confirmed expired cancelled queued");
    world.restart();
    assertThat(told(commands)).isEqualTo(seen.getLast());
    assertThat(World.line(world.get(commands))).as("for commanders, as ever").isEqualTo("4");
    assertThat(world.get(commands, ContentFormat.JOSE).code().dotted()).isEqualTo("4.06");
  }

  private long now() {
    return world.clock.instant().getEpochSecond();
  }

  /** The states in the order of the numbers. */
  private String told(String uri) {
    return Pattern.compile("\"state\":\"(\\w+)\"")
        .matcher(World.line(world.get(uri, ContentFormat.JSON)))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.joining(" "));
  }

  private List<CommandView.State> states() {
    return world.mirror.commands(entry.substring(4)).stream().map(CommandView::state).toList();
  }

  @Test
  void aFetchedCommandIsStillFetchedAfterARestartAndItsTimeRunsOutForAllToSee() {
    long exp = world.clock.instant().getEpochSecond() + 60;
    queue(command(commander, "mote-1", 1, ",\"exp\":" + exp));
    world.get(entry + "/led?command=1");
    world.restart();
    assertThat(states()).containsExactly(CommandView.State.FETCHED);
    assertThat(World.line(world.get(entry + "?pending"))).as("it still waits").isNotEmpty();
    List<MirrorEvent> seen = new ArrayList<>();
    world.mirror.follow(world.mirror.position(), seen::add);
    world.mirror.pass();
    assertThat(seen).isEmpty();
    world.clock.forward(Duration.ofSeconds(61));
    world.mirror.pass();
    world.mirror.pass();
    assertThat(states()).containsExactly(CommandView.State.EXPIRED);
    assertThat(seen)
        .extracting(MirrorEvent::kind)
        .containsExactly(MirrorEvent.Kind.COMMAND, MirrorEvent.Kind.TRUST);
    assertThat(seen.getLast().text()).isEqualTo("expired: command 1");
  }
}
