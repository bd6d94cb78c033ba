package dev.vigil.border.link;

import java.time.Instant;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Traffic over one link since the start.
 *
 * @param received frames accepted from the link
 * @param octetsIn octets of the received frames, MAC header to MIC
 * @param sent frames that were acknowledged or broadcast
 * @param octetsOut octets of the sent frames, each frame counted once
 * @param savedIn octets that compressed AH and ESP headers saved in received packets
 * @param savedOut octets that these headers saved in packets to be sent
 * @param failed frames that failed after their last retransmission
 * @param transmissions transmissions of the sent and failed frames
 * @param etx expected transmissions of a frame, a moving average over about twenty frames; a failed
 *     frame counts as 16; 0 before the first frame
 * @param heardAt time of the last received frame; null before the first
 * @param drops frames and packets dropped on this link, by reason
 */
public record LinkStatistics(
    long received,
    long octetsIn,
    long sent,
    long octetsOut,
    long savedIn,
    long savedOut,
    long failed,
    long transmissions,
    double etx,
    @Nullable Instant heardAt,
    SortedMap<String, Long> drops) {
  /** Transmissions beyond the first of each frame. */
  public long retries() {
    return Math.max(0, transmissions - sent - failed);
  }

  /** The sum of all drops. */
  public long dropped() {
    return drops.values().stream().mapToLong(Long::longValue).sum();
  }
}
