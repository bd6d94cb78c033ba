package dev.vigil.border;

import java.time.Instant;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What went over one link since the start.
 *
 * @param received frames taken from it
 * @param octetsIn of those frames, MAC header to MIC
 * @param sent frames that were acknowledged or went to all
 * @param octetsOut of those frames, each once
 * @param failed frames given up
 * @param transmissions that the sent and failed frames took
 * @param etx transmissions that a frame is expected to take, from the latest twenty or so; one that
 *     was given up counts as 16; 0 while nothing was sent
 * @param heardAt when the last frame came; null while none did
 * @param drops what was dropped of this link, by reason
 */
public record LinkFigures(
    long received,
    long octetsIn,
    long sent,
    long octetsOut,
    long failed,
    long transmissions,
    double etx,
    @Nullable Instant heardAt,
    SortedMap<String, Long> drops) {
  /** Transmissions beyond the first of each frame. */
  public long retries() {
    return Math.max(0, transmissions - sent - failed);
  }

  /** All drops together. */
  public long dropped() {
    return drops.values().stream().mapToLong(Long::longValue).sum();
  }
}
