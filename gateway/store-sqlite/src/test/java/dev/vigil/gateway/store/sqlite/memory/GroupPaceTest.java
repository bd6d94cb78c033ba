package dev.vigil.gateway.store.sqlite.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GroupPaceTest {
  /** Clocks of the JDK may overflow between two readings. */
  private static final long START = Long.MAX_VALUE - 1_000;

  private static final long FAST = 300_000;
  private static final long SLOW = 20_000_000;

  private final GroupPace pace = new GroupPace(false, START);
  private final GroupPace replica = new GroupPace(true, START);

  /** From the start of a group to the start of the next one. */
  private static long nanos(GroupPace pace, int size, long took) {
    pace.written(size, START, START + took);
    return pace.next() - START;
  }

  @Test
  void theFirstGroupDoesNotWait() {
    assertThat(pace.next() - START).isZero();
  }

  @Test
  void aSingleBatchDelaysNoOther() {
    assertThat(nanos(pace, 1, FAST)).isEqualTo(FAST);
    assertThat(nanos(pace, 1, SLOW)).isEqualTo(SLOW);
  }

  @Test
  void fastSyncsAreSeparatedByAMultipleOfTheirTime() {
    assertThat(nanos(pace, 2, FAST)).isEqualTo(GroupPace.FACTOR * FAST);
    assertThat(nanos(replica, GroupPace.LARGE_GROUP - 1, FAST)).isEqualTo(GroupPace.FACTOR * FAST);
  }

  @Test
  void slowSyncsAddNoWaitOfTheirOwn() {
    assertThat(nanos(pace, 1_000, SLOW)).isEqualTo(GroupPace.MOST_NANOS).isLessThan(SLOW);
  }

  @Test
  void aReplicaWaitsLongerAfterALargeGroup() {
    assertThat(nanos(replica, GroupPace.LARGE_GROUP, FAST)).isEqualTo(GroupPace.REPLICA_NANOS);
    assertThat(nanos(pace, GroupPace.LARGE_GROUP, FAST)).isLessThan(GroupPace.REPLICA_NANOS);
  }
}
