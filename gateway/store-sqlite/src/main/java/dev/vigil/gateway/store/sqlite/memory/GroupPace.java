package dev.vigil.gateway.store.sqlite.memory;

/**
 * When a store may write its next group of batches. Under load it waits, so that more batches share
 * the cost of a sync. After a group of one it does not wait.
 */
public final class GroupPace {
  /** The most nanoseconds from the start of a group to the start of the next one. */
  static final long MOST_NANOS = 5_000_000;

  /**
   * The same for a replica whose last group was large. The servers already have its batches, so
   * fewer of them arrive meanwhile than in a store that its callers fill.
   */
  static final long REPLICA_NANOS = 15_000_000;

  /** From this size on, a replica's group is large. */
  static final int LARGE_GROUP = 16;

  /**
   * The time between the starts of two groups, as a multiple of the time that the first one took.
   * Where a sync is fast, waiting longer would save little.
   */
  static final int FACTOR = 8;

  private final boolean isReplica;
  private long next;

  /**
   * @param isReplica whether a log fills the store
   * @param now nanoseconds of a monotonic clock
   */
  public GroupPace(boolean isReplica, long now) {
    this.isReplica = isReplica;
    this.next = now;
  }

  /**
   * Reports the last group.
   *
   * @param size its number of batches
   * @param started when it began, on the same clock
   * @param ended when its callers had their results
   */
  public void written(int size, long started, long ended) {
    next = size > 1 ? started + nanos(size, ended - started) : ended;
  }

  private long nanos(int size, long took) {
    return isReplica && size >= LARGE_GROUP ? REPLICA_NANOS : Math.min(FACTOR * took, MOST_NANOS);
  }

  /** The time on that clock from which the next group may be written. */
  public long next() {
    return next;
  }
}
