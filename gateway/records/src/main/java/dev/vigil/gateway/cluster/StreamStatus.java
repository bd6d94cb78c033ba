package dev.vigil.gateway.cluster;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The stream of the cluster and the snapshots of it, as this gateway last saw them. */
public interface StreamStatus {
  /** Empty in a gateway without a cluster. */
  Optional<Seen> seen();

  /** The age of the newest snapshot, if changes have waited too long for another one. */
  OptionalLong oldSnapshotSeconds();

  /**
   * @param firstPosition of the oldest message
   * @param snapshot the newest snapshot; null if there is none
   */
  record Seen(long firstPosition, @Nullable Newest snapshot) {}

  /**
   * @param position up to which the snapshot has the stream
   * @param at the time at which it was made
   * @param octets of its database
   */
  record Newest(long position, Instant at, long octets) {}
}
