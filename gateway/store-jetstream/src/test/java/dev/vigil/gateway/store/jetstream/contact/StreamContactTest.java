package dev.vigil.gateway.store.jetstream.contact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.store.ClusterContact;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamContactTest {
  private static final Instant NOW = Instant.parse("2026-11-26T10:00:00Z");

  private long nanos;
  private long ahead;
  private boolean silent;
  private final StreamContact contact =
      new StreamContact(this::answer, Clock.fixed(NOW, ZoneOffset.UTC), () -> nanos);

  private int comparisons;
  private long position;

  private final class Following implements StreamContact.Replica {
    private final boolean failing;

    Following(boolean failing) {
      this.failing = failing;
    }

    @Override
    public boolean isFailing() {
      return failing;
    }

    @Override
    public long newest() {
      return position;
    }

    @Override
    public void compare() {
      comparisons++;
    }
  }

  private StreamReport answer() throws IOException {
    if (silent) {
      throw new IOException("no leader");
    }
    return new StreamReport(NOW.plusSeconds(ahead).atZone(ZoneOffset.UTC), 70, 2, 3);
  }

  private void pass(long seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void serversWithTheSameTimeAreAccepted() {
    ahead = -60;
    contact.begin(false);
    assertThat(contact.present(false, 68))
        .isEqualTo(new ClusterContact(Duration.ZERO, 2, 2, 3, Duration.ofSeconds(-60)));
    assertThat(contact.present(false, 71).lag()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {61, -61})
  void clocksMoreThanAMinuteApartAreRefusedExceptForTrials(long difference) {
    ahead = difference;
    assertThatThrownBy(() -> contact.begin(false))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("61 s " + (difference > 0 ? "ahead of" : "behind"))
        .hasMessageContaining("run NTP on all machines, or allow a weak store");
    contact.begin(true);
    assertThat(contact.present(false, 0).ahead()).isEqualTo(Duration.ofSeconds(difference));
  }

  @Test
  void aStreamWithoutALeaderIsNotOpened() {
    silent = true;
    assertThatThrownBy(() -> contact.begin(true))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("start a majority of the NATS servers");
  }

  @Test
  void silenceIsTheTimeSinceTheLastAnswer() {
    contact.begin(false);
    pass(7);
    assertThat(contact.present(false, 70).isLost()).isFalse();
    assertThat(contact.present(true, 70).silence()).isEqualTo(Duration.ofSeconds(7));
    contact.step(new Following(true));
    assertThat(contact.present(true, 70).silence())
        .as("an answer does not count while the replica does not follow")
        .isEqualTo(Duration.ofSeconds(7));
    contact.step(new Following(false));
    assertThat(contact.present(true, 70).silence()).isEqualTo(Duration.ofNanos(1));
  }

  @Test
  void theContactIsLostWhenTheLeaderDoesNotAnswerForTenSeconds() {
    contact.begin(false);
    silent = true;
    pass(10);
    contact.step(new Following(false));
    assertThat(contact.isLost()).isFalse();
    pass(1);
    contact.step(new Following(false));
    assertThat(contact.isLost()).isTrue();
    silent = false;
    contact.step(new Following(false));
    assertThat(contact.isLost()).isFalse();
  }

  @Test
  void aStreamThatEndsBeforeTheReplicaIsComparedWithIt() {
    position = 70;
    contact.step(new Following(false));
    assertThat(comparisons).isZero();
    position = 71;
    contact.step(new Following(false));
    assertThat(comparisons).isEqualTo(1);
  }
}
