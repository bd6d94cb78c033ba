package dev.vigil.border.slip;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ieee802154.Eui64;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TunslipSessionTest {
  private final List<String> heard = new ArrayList<>();
  private TunslipSession session;

  @BeforeEach
  void connect() {
    session =
        new TunslipSession(
            0xfd00L << 48,
            new TunslipSession.Listener() {
              @Override
              public void ready(Eui64 eui64) {
                heard.add("ready " + eui64);
              }

              @Override
              public void packet(byte[] ipv6) {
                heard.add("packet");
              }

              @Override
              public void text(String line) {
                heard.add("text " + line);
              }

              @Override
              public void malformed() {
                heard.add("malformed");
              }
            });
    session.connected(0);
  }

  private @Nullable String next(long now) {
    byte[] frame = session.next(now);
    return frame == null ? null : new String(frame, US_ASCII);
  }

  private void say(String frame, long now) {
    session.received(frame.getBytes(US_ASCII), now);
  }

  @Test
  void aSilentBoardIsAskedAndThenDead() {
    assertThat(next(0)).isEqualTo("?M");
    say("!M0002000200020002", 10);
    assertThat(next(30_009)).isNull();
    assertThat(next(30_010)).isEqualTo("?M");
    assertThat(next(32_009)).isNull();
    assertThat(next(32_010)).isEqualTo("?M");
    assertThat(session.isDead(40_009)).isFalse();
    assertThat(session.isDead(40_010)).isTrue();
  }

  @Test
  void aBoardThatNeverAnswersIsDead() {
    assertThat(session.isDead(39_999)).isFalse();
    assertThat(session.isDead(40_000)).isTrue();
    session.disconnected();
    assertThat(session.isDead(40_000)).isFalse();
  }

  @Test
  void anythingThatTheBoardSendsPostponesTheQuestion() {
    next(0);
    say("!M0002000200020002", 10);
    say("log line", 20_000);
    assertThat(next(30_010)).isNull();
    assertThat(next(50_000)).isEqualTo("?M");
    assertThat(session.isDead(59_999)).isFalse();
  }

  @Test
  void aRepeatedAnswerChangesNothing() {
    next(0);
    say("!M0002000200020002", 10);
    next(30_010);
    say("!M0002000200020002", 30_020);
    assertThat(heard).containsExactly("ready 0002000200020002");
    assertThat(next(32_010)).isNull();
    session.connected(50_000);
    next(50_000);
    say("!M0002000200020002", 50_010);
    assertThat(heard).hasSize(2);
  }
}
