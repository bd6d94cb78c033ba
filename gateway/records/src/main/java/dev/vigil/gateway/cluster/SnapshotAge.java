package dev.vigil.gateway.cluster;

import dev.vigil.gateway.cluster.StreamStatus.Newest;
import dev.vigil.gateway.cluster.StreamStatus.Seen;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Whether snapshots are made in time.
 *
 * @param every time after which a snapshot is made
 * @param started the start of this gateway, whose age counts if there is no snapshot
 */
public record SnapshotAge(Duration every, Instant started) {
  /** Two attempts in a row may fail. */
  private static final int PERIODS = 3;

  /**
   * The age of the newest snapshot in seconds, if changes have waited too long for another one.
   *
   * @param position of the newest change
   */
  public OptionalLong ifOld(Seen seen, long position, Instant now) {
    Newest newest = seen.snapshot();
    Duration age = Duration.between(newest == null ? started : newest.at(), now);
    boolean complete = position <= (newest == null ? 0 : newest.position());
    return complete || age.compareTo(every.multipliedBy(PERIODS)) <= 0
        ? OptionalLong.empty()
        : OptionalLong.of(age.toSeconds());
  }
}
