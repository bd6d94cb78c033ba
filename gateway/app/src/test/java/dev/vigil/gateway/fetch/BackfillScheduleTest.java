package dev.vigil.gateway.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The updates after which an endpoint is asked for readings. */
class BackfillScheduleTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  private final BackfillSchedule schedule = new BackfillSchedule();

  private boolean heard(long seconds) {
    return schedule.heard("1", START.plusSeconds(seconds));
  }

  @Test
  void anEndpointIsAskedAfterItsFirstUpdateAndAfterASilence() {
    assertThat(heard(0)).isTrue();
    schedule.succeeded("1");
    assertThat(heard(1)).isFalse();
    assertThat(heard(2)).isFalse();
    assertThat(heard(30)).isTrue();
  }

  @Test
  void anEndpointThatIsBeingAskedIsNotAskedAgain() {
    assertThat(heard(0)).isTrue();
    assertThat(heard(1)).isFalse();
    assertThat(heard(9)).isFalse();
    assertThat(heard(10)).isTrue();
  }

  @Test
  void pausesDoubleWithEachFailureAndEndWithASuccess() {
    assertThat(heard(0)).isTrue();
    assertThat(schedule.failed("1")).isTrue();
    assertThat(heard(9)).isFalse();
    assertThat(heard(10)).isTrue();
    assertThat(schedule.failed("1")).isFalse();
    assertThat(heard(29)).isFalse();
    assertThat(heard(30)).isTrue();
    schedule.succeeded("1");
    assertThat(heard(31)).isFalse();
    assertThat(heard(99)).isTrue();
    assertThat(schedule.failed("1")).isTrue();
  }

  @Test
  void aClockThatIsSetBackDoesNotDelayTheNextRequest() {
    assertThat(heard(86_400)).isTrue();
    schedule.succeeded("1");
    assertThat(heard(0)).as("how far gaps were searched is corrected").isTrue();
    schedule.succeeded("1");
    assertThat(heard(1)).isFalse();
    assertThat(heard(30)).isTrue();
  }

  @Test
  void aForgottenEndpointLeavesNothing() {
    assertThat(heard(0)).isTrue();
    schedule.forget("1");
    assertThat(schedule.size()).isZero();
    schedule.succeeded("1");
    schedule.failed("1");
    assertThat(schedule.size()).isZero();
  }
}
