package dev.vigil.gateway.store;

import java.time.Instant;
import java.util.Optional;

/** Counters of a store since it was opened. Any thread may read them. */
public interface StoreStatistics {
  Counts counts();

  /** Number of endpoint names that the store knows. */
  int endpoints();

  /** The time of the newest change when the store was opened; empty when there was no change. */
  Optional<Instant> newestTime();

  /** The size of the database's files in octets. */
  long octets();

  /** Number of submitted batches that have not been written. */
  int waiting();

  /**
   * @param committed batches on disk
   * @param refused batches refused by the sequence or version rule
   * @param failed batches that could not be written to disk
   * @param syncs transactions, each with one fsync
   * @param nanos the time that these transactions took
   */
  record Counts(long committed, long refused, long failed, long syncs, long nanos) {
    public static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    public Counts plus(Counts more) {
      return new Counts(
          committed + more.committed,
          refused + more.refused,
          failed + more.failed,
          syncs + more.syncs,
          nanos + more.nanos);
    }
  }
}
