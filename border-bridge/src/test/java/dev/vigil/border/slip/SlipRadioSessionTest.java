package dev.vigil.border.slip;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Vectors;
import dev.vigil.border.bridge.SlipScript;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SlipRadioSessionTest {
  private final List<String> heard = new ArrayList<>();
  private final List<Integer> reports = new ArrayList<>();
  private SlipRadioSession session;

  @BeforeEach
  void connect() {
    session =
        new SlipRadioSession(
            0xabcd,
            26,
            new SlipRadioSession.Listener() {
              @Override
              public void ready(Eui64 eui64) {
                heard.add("ready " + eui64);
              }

              @Override
              public void frame(byte[] psdu) {
                heard.add("frame " + Hex.format(psdu));
              }

              @Override
              public void text(String line) {
                heard.add("text " + line);
              }

              @Override
              public void malformed() {
                heard.add("malformed");
              }

              @Override
              public void lost() {
                heard.add("lost");
              }
            });
    session.connected(0);
  }

  private @Nullable String next(long now) {
    byte[] frame = session.next(now);
    return frame == null ? null : Hex.format(frame);
  }

  private void say(String hex, long now) throws WireException {
    session.received(Hex.parse(hex), now);
  }

  /** Brings the session to the state in which frames flow. */
  private void ready() throws WireException {
    assertThat(next(0)).isEqualTo("3f4d");
    say("214d0001000100010001", 0);
    assertThat(next(32)).isEqualTo("21560001001a");
    assertThat(next(64)).isEqualTo("21560002abcd");
  }

  @Test
  void asksForTheAddressEverySecondThenSetsTheParameters() throws WireException {
    assertThat(next(0)).isEqualTo("3f4d");
    assertThat(next(999)).isNull();
    assertThat(next(1_000)).isEqualTo("3f4d");
    assertThat(session.submit(new byte[20], (status, count) -> {})).isFalse();
    say("214d0001000100010001", 1_001);
    assertThat(heard).containsExactly("ready 0001000100010001");
    assertThat(next(1_001)).as("32 ms between frames").isNull();
    assertThat(next(1_032)).isEqualTo("21560001001a");
    assertThat(next(1_064)).isEqualTo("21560002abcd");
  }

  @Test
  void theNextFrameWaitsForTheReportOr32Milliseconds() throws WireException {
    ready();
    for (int i = 0; i < 3; i++) {
      assertThat(session.submit(new byte[] {(byte) i}, (s, n) -> reports.add(s))).isTrue();
    }
    assertThat(next(100)).isEqualTo("2153010000");
    assertThat(next(110)).isNull();
    say("2152010001", 111);
    assertThat(reports).containsExactly(0);
    assertThat(next(111)).isEqualTo("2153020001");
    assertThat(next(142)).isNull();
    assertThat(next(143)).as("no report, but the time has passed").isEqualTo("2153030002");
  }

  @Test
  void sixteenFramesAreOutstandingUntilReportOrTimeout() throws WireException {
    ready();
    for (int i = 0; i < 20; i++) {
      assertThat(session.submit(new byte[1], (status, count) -> reports.add(status))).isTrue();
    }
    long now = 100;
    int sent = 0;
    for (; now < 1_000; now++) {
      sent += session.next(now) == null ? 0 : 1;
    }
    assertThat(sent).isEqualTo(16);
    for (; now < 2_700; now++) {
      sent += session.next(now) == null ? 0 : 1;
    }
    assertThat(sent).isEqualTo(20);
    assertThat(reports).hasSize(16).containsOnly(-1);
  }

  @Test
  void aReportWithTheNumberTenIsNotText() throws WireException {
    assertThat(SlipRadioMessage.parse(Hex.parse("21520a0001")))
        .isEqualTo(new SlipRadioMessage.Report(10, 0, 1));
  }

  @Test
  void everyRecordedLineIsParsedAsItsCommentDescribes() throws WireException {
    int frames = 0;
    int texts = 0;
    for (String file : List.of("forming.txt", "rejoin.txt", "echo.txt", "coap.txt", "udp.txt")) {
      for (SlipScript.Line line : SlipScript.of(file)) {
        if (line.fromRadio()) {
          SlipRadioMessage message = SlipRadioMessage.parse(line.frame());
          boolean isFrame = message instanceof SlipRadioMessage.Received;
          boolean isCommand = line.frame()[0] == '!';
          boolean isText = message instanceof SlipRadioMessage.Text;
          assertThat(isFrame).as(Hex.format(line.frame())).isEqualTo(!isCommand && !isText);
          frames += isFrame ? 1 : 0;
          texts += isText ? 1 : 0;
        }
      }
    }
    assertThat(frames).isGreaterThan(150);
    assertThat(texts).isGreaterThan(3);
  }

  @Test
  void theSendCommandEqualsTheRecordedCommand() throws WireException {
    for (Vectors.RecordedFrame frame : Vectors.contiki("forming.txt").stream().limit(2).toList()) {
      String command = Hex.format(SlipRadioMessage.send(1, frame.psdu()));
      assertThat(command).isEqualTo("21530100" + Hex.format(frame.psdu()));
      assertThat(SlipRadioMessage.sentPsdu(Hex.parse(command))).isEqualTo(frame.psdu());
    }
  }

  @Test
  void aSilentRadioIsAskedAndThenDead() throws WireException {
    ready();
    assertThat(next(29_999)).isNull();
    assertThat(next(30_000)).isEqualTo("3f4d");
    assertThat(session.isDead(39_999)).isFalse();
    assertThat(session.isDead(40_000)).isTrue();
  }

  @Test
  void aRadioThatRestartsWhileTheLineStaysOpenIsSetUpAgain() throws WireException {
    ready();
    long askedAt = 0;
    int answered = 0;
    List<String> commands = new ArrayList<>();
    for (long at = 10_000; at <= 600_000; at += 10_000) {
      assertThat(session.submit(new byte[1], (status, count) -> reports.add(status))).isTrue();
      say(Hex.format("\rstarting\n".getBytes(US_ASCII)), at);
      for (long now = at; now < at + 1_000; now++) {
        String sent = next(now);
        if (sent == null) {
          continue;
        } else if (sent.equals("3f4d")) {
          assertThat(now - askedAt).isBetween(29_000L, 60_000L);
          askedAt = now;
          answered++;
          say("214d0001000100010001", now);
        } else if (sent.startsWith("2153")) {
          say("2152" + sent.substring(4, 6) + "0201", now); // no acknowledgement
        } else {
          commands.add(sent);
        }
      }
    }
    assertThat(reports).hasSize(60).containsOnly(2);
    assertThat(answered).isGreaterThan(9);
    assertThat(commands).hasSize(2 * answered).startsWith("21560001001a", "21560002abcd");
    assertThat(heard).filteredOn(line -> line.startsWith("ready")).hasSize(1);
  }

  @Test
  void framesOfAnotherNetworkDoNotPostponeTheQuestion() throws WireException {
    ready();
    String frame = Hex.format(Vectors.contiki("forming.txt").getFirst().psdu());
    for (long now = 1_000; now < 30_000; now += 1_000) {
      say(frame, now);
      assertThat(next(now)).isNull();
    }
    assertThat(next(30_000)).isEqualTo("3f4d");
  }

  @Test
  void questionsCommandsAndFramesHave32MillisecondsBetweenThem() throws WireException {
    ready();
    for (int i = 0; i < 2; i++) {
      session.submit(new byte[] {(byte) i}, (status, count) -> {});
    }
    assertThat(next(29_990)).startsWith("2153");
    assertThat(next(30_000)).isNull();
    assertThat(session.deadline()).isEqualTo(30_022);
    assertThat(next(30_022)).isEqualTo("3f4d");
    say("2152010001", 30_023); // the report of the frame before the question
    assertThat(next(30_053)).isNull();
    assertThat(next(30_054)).startsWith("2153");
  }

  @Test
  void losingTheLineFailsAllQueuedFrames() throws WireException {
    ready();
    session.submit(new byte[1], (status, count) -> reports.add(status));
    session.submit(new byte[1], (status, count) -> reports.add(status));
    next(100);
    session.disconnected();
    assertThat(reports).containsExactly(-1, -1);
    assertThat(heard).endsWith("lost");
  }

  @Test
  void anyOctetsAreParsedOrCounted() throws WireException {
    ready();
    Random random = new Random(1055);
    for (int i = 0; i < 50_000; i++) {
      byte[] frame = new byte[1 + random.nextInt(20)];
      random.nextBytes(frame);
      if (i % 2 == 0) {
        frame[0] = '!';
      }
      session.received(frame, 100);
    }
    assertThat(heard).hasSizeGreaterThan(40_000);
  }
}
