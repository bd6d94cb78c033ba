package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.mirror.model.CommandView;
import dev.vigil.signed.jose.TestSigner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rights to an endpoint's commands and its sequence number. */
class CommandAccessTest {
  private static final Caller HOME = MirrorFixture.caller("2001:db8::1", true);
  private static final Caller STRANGER = MirrorFixture.caller("198.51.100.9", true);

  private final TestSigner mote = new TestSigner();
  private final TestSigner commander = new TestSigner();
  private final MirrorFixture mirror;
  private final String entry;

  /** Actions that callers without an identity may perform. */
  private Set<Action> open = EnumSet.allOf(Action.class);

  CommandAccessTest(@TempDir Path folder) {
    String key = commander.jwk().json();
    mirror = new MirrorFixture(folder, TestDomain.nameless().commandedBy(key).build());
    entry = mirror.registered(mote, "mote-1", 1);
  }

  @BeforeEach
  void queueACommand() {
    byte[] command =
        commander.jws(
            "{\"alg\":\"ES256\",\"typ\":\"vigil-cmd\",\"cty\":\"text/plain\",\"kid\":\"%s\",\"ep\":\"mote-1\",\"res\":\"led\",\"seq\":1}"
                .formatted(commander.jkt()),
            "1".getBytes(UTF_8));
    assertThat(mirror.put(entry + "/led", command).code()).isEqualTo(Code.CHANGED);
    mirror.access =
        (caller, action, domain) ->
            open.contains(action)
                ? new Access.Allowed()
                : new Access.Refused(Code.UNAUTHORIZED, "needs credentials");
    open = EnumSet.of(Action.REGISTER);
  }

  private Response get(Caller caller, String query) {
    return mirror.ask(Method.GET, entry + query, null, new byte[0], caller);
  }

  private String code(Caller caller, String query) {
    return get(caller, query).code().dotted();
  }

  private Response update(Caller from, byte[] update) {
    return mirror.ask(Method.PUT, entry + "/temp", ContentFormat.JOSE, update, from);
  }

  private List<CommandView.State> states() {
    return mirror.queries().commands(entry.substring(4)).stream().map(CommandView::state).toList();
  }

  @Test
  void aClosedDomainShowsCommandsToTheEndpointsAddressAlone() {
    assertThat(code(HOME, "?pending")).isEqualTo("2.05");
    for (String query : List.of("?pending", "/led?command=1")) {
      assertThat(code(STRANGER, query)).isEqualTo("4.03");
    }
    assertThat(states()).containsExactly(CommandView.State.QUEUED);
    assertThat(code(HOME, "/led?command=1")).isEqualTo("2.05");
    assertThat(states()).containsExactly(CommandView.State.FETCHED);
  }

  @Test
  void theAddressOfTheLastNewMessageCounts() {
    Caller roaming = MirrorFixture.caller("192.0.2.77", false);
    assertThat(update(roaming, MirrorFixture.update(mote, "temp", 2)).code().dotted())
        .isEqualTo("2.01");
    assertThat(code(roaming, "?pending")).isEqualTo("2.05");
    assertThat(code(HOME, "?pending")).isEqualTo("4.03");
  }

  @Test
  void onlyTheListOfPendingCommandsDependsOnTheAddress() {
    assertThat(get(HOME, "?pending").bySource()).isTrue();
    open = EnumSet.allOf(Action.class);
    update(HOME, MirrorFixture.update(mote, "temp", 2));
    for (String other : List.of("", "?commands", "/temp")) {
      assertThat(get(HOME, other).bySource()).as(other).isFalse();
    }
  }

  @Test
  void onlyTheAddressOfTheLastNewMessageIsAnEndpoints() {
    assertThat(isAnEndpoints(HOME)).isTrue();
    Caller roaming = MirrorFixture.caller("192.0.2.77", false);
    byte[] update = MirrorFixture.update(mote, "temp", 2);
    update(roaming, update);
    update(STRANGER, update);
    assertThat(isAnEndpoints(roaming)).isTrue();
    assertThat(isAnEndpoints(HOME)).isFalse();
    assertThat(isAnEndpoints(STRANGER)).as("repeats a message").isFalse();
  }

  private boolean isAnEndpoints(Caller caller) {
    return mirror.queries().isAddressOfEndpoint(SourceAddress.of(caller));
  }

  @Test
  void aRepeatedMessageFromElsewhereDoesNotCount() {
    byte[] update = MirrorFixture.update(mote, "temp", 2);
    update(HOME, update);
    assertThat(update(STRANGER, update).code().dotted())
        .as("the answer was lost")
        .isEqualTo("2.04");
    byte[] registration = MirrorFixture.registration(mote, "mote-1", 3, "");
    mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, registration, HOME);
    mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, registration, STRANGER);
    assertThat(code(STRANGER, "?pending")).isEqualTo("4.03");
    assertThat(code(HOME, "?pending")).isEqualTo("2.05");
  }

  @Test
  void theAddressCountsForFiveMinutes() {
    mirror.clock.forward(Duration.ofSeconds(299));
    assertThat(code(HOME, "?pending")).isEqualTo("2.05");
    mirror.clock.forward(Duration.ofSeconds(1));
    assertThat(code(HOME, "?pending")).isEqualTo("4.03");
    update(HOME, MirrorFixture.update(mote, "temp", 2));
    assertThat(code(HOME, "?pending")).isEqualTo("2.05");
  }

  @Test
  void aMoteThatWakesHourlyIsAnsweredAfterItsUpdate() {
    for (int seq = 2; seq < 5; seq++) {
      mirror.clock.forward(Duration.ofHours(1));
      assertThat(code(HOME, "?pending")).as("before its update").isEqualTo("4.03");
      assertThat(update(HOME, MirrorFixture.update(mote, "temp", seq)).code().dotted())
          .isIn("2.01", "2.04");
      assertThat(code(HOME, "?pending")).isEqualTo("2.05");
      assertThat(code(HOME, "/led?command=1")).isEqualTo("2.05");
    }
    assertThat(states()).containsExactly(CommandView.State.FETCHED);
  }

  @Test
  void aDtlsClientWithTheEndpointsKeyIsTheEndpoint() {
    Caller own = new Caller(STRANGER.source(), true, true, new Caller.RawKey(mote.jkt()));
    Caller other = new Caller(STRANGER.source(), true, true, new Caller.RawKey(commander.jkt()));
    assertThat(code(own, "/led?command=1")).isEqualTo("2.05");
    assertThat(states()).containsExactly(CommandView.State.FETCHED);
    assertThat(code(other, "?pending")).isEqualTo("4.03");
  }

  @Test
  void aReplacedKeyLeavesNoAddressBehind() {
    TestSigner fresh = new TestSigner();
    mirror.operations().approve(fresh.jkt(), entry.substring(4), List.of(""), "alice").join();
    mirror.ask(
        Method.POST,
        "/ms",
        ContentFormat.JOSE,
        MirrorFixture.registration(fresh, "mote-1", 2, ""),
        STRANGER);
    assertThat(code(HOME, "?pending")).isEqualTo("4.03");
    assertThat(code(STRANGER, "?pending")).isEqualTo("2.05");
  }

  @Test
  void inAnOpenDomainOnlyTheEndpointMarksACommandFetched() {
    open = EnumSet.allOf(Action.class);
    assertThat(code(STRANGER, "/led?command=1")).isEqualTo("2.05");
    assertThat(code(STRANGER, "?pending")).isEqualTo("2.05");
    assertThat(states()).containsExactly(CommandView.State.QUEUED);
    code(HOME, "/led?command=1");
    assertThat(states()).containsExactly(CommandView.State.FETCHED);
  }

  @Test
  void theListOfCommandsNeedsTheRightToReadOrToCommand() {
    assertThat(code(HOME, "?commands")).as("the last number too").isEqualTo("4.01");
    open = EnumSet.of(Action.COMMAND);
    assertThat(MirrorFixture.line(get(STRANGER, "?commands"))).isEqualTo("1");
    open = EnumSet.of(Action.READ);
    assertThat(MirrorFixture.line(get(STRANGER, "?commands"))).isEqualTo("1");
  }

  @Test
  void onlyASignedUpdateIsToldTheSequenceNumber() {
    update(HOME, MirrorFixture.update(mote, "temp", 1234));
    TestSigner forger = new TestSigner();
    for (long seq : new long[] {1, 1234, 1L << 40}) {
      byte[] forged =
          forger.jws(mote.header("application/senml+json", "temp", seq, -1), MirrorFixture.SENML);
      Response answer = update(STRANGER, forged);
      assertThat(answer.code().dotted()).isEqualTo("4.01");
      assertThat(MirrorFixture.line(answer)).doesNotContain("1234");
      Response honest = update(HOME, MirrorFixture.update(mote, "temp", seq));
      assertThat(MirrorFixture.line(honest)).isEqualTo("1234");
    }
  }

  private Response compact(Caller from, String path, byte[] update) {
    return mirror.ask(Method.PUT, entry + "/" + path, ContentFormat.SIGNED_UPDATE, update, from);
  }

  /** The answers to strangers' compact updates with many numbers, acknowledgements and paths. */
  @Test
  void strangersLearnNothingFromCompactUpdates() {
    update(HOME, MirrorFixture.update(mote, "temp", 1234));
    TestSigner forger = new TestSigner();
    Set<String> answers = new HashSet<>();
    int source = 0;
    for (String path : List.of("temp", "led", "no-link")) {
      for (long seq : new long[] {1, 1234, 1235, 6000, 40_000, 65_535}) {
        for (long ack : new long[] {-1, 0, 1, 2}) {
          byte[] forged = forger.compact(false, path, seq, ack, MirrorFixture.SENML);
          Caller stranger = MirrorFixture.caller("2001:db8:" + ++source + "::9", true);
          Response answer = compact(stranger, path, forged);
          answers.add(answer.code().dotted() + " " + MirrorFixture.line(answer));
        }
      }
    }
    assertThat(answers).containsExactly("4.01 the signature is invalid");
  }

  @Test
  void theEndpointLearnsItsNumberFromACompactUpdateBeyondTheWindow() {
    update(HOME, MirrorFixture.update(mote, "temp", 1234));
    Response answer =
        compact(HOME, "temp", mote.compact(false, "temp", 40_000, -1, MirrorFixture.SENML));
    assertThat(answer.code().dotted()).isEqualTo("4.09");
    assertThat(MirrorFixture.line(answer)).isEqualTo("1234");
  }

  @Test
  void anAcknowledgementOfAForgottenCommandIsAcceptedInEachForm() {
    byte[] compact = mote.compact(false, "temp", 2, 77, MirrorFixture.SENML);
    assertThat(compact(HOME, "temp", compact).code().dotted()).isEqualTo("2.01");
    byte[] jws =
        mote.jws(mote.header("application/senml+json", "temp", 3, 77), MirrorFixture.SENML);
    assertThat(update(HOME, jws).code().dotted()).isEqualTo("2.04");
    assertThat(states()).containsExactly(CommandView.State.QUEUED);
  }

  @Test
  void updatesThatDoNotDecryptAreChargedLikeInvalidSignatures() {
    byte[] noise = new byte[64];
    noise[0] = 0x30; // encrypted with key 1, ES256
    for (int i = 0; i < 30; i++) {
      assertThat(compact(STRANGER, "temp", noise).code().dotted()).isEqualTo("4.01");
    }
    assertThat(compact(STRANGER, "temp", noise).code().dotted()).isEqualTo("4.29");
  }

  @Test
  void replaysAreChargedLikeInvalidSignatures() {
    byte[] old = MirrorFixture.update(mote, "temp", 2);
    update(HOME, old);
    update(HOME, MirrorFixture.update(mote, "temp", 3));
    for (int i = 0; i < 30; i++) {
      assertThat(update(STRANGER, old).code().dotted()).isEqualTo("4.09");
    }
    assertThat(update(STRANGER, old).code().dotted()).isEqualTo("4.29");
    assertThat(update(HOME, MirrorFixture.update(mote, "temp", 4)).code().dotted())
        .isEqualTo("2.04");
  }

  @Test
  void forgedMessagesDoNotLockAVerifiedSenderOut() {
    Caller forged = MirrorFixture.caller("2001:db8::1", false);
    byte[] wrong =
        new TestSigner()
            .jws(mote.header("application/senml+json", "temp", 2, -1), MirrorFixture.SENML);
    for (int i = 0; i < 40; i++) {
      update(forged, wrong);
    }
    assertThat(update(HOME, MirrorFixture.update(mote, "temp", 2)).code().dotted())
        .isEqualTo("2.01");
  }
}
