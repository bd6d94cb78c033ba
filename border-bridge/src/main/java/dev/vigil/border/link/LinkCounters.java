package dev.vigil.border.link;

import dev.vigil.border.pipeline.DropCounters;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Traffic counters of one link, to one neighbour or through one radio, since the start. The
 * pipeline thread counts; any thread may read.
 */
final class LinkCounters {
  /** The ETX sample of a failed frame: more transmissions than any radio makes. */
  private static final double GIVEN_UP_ETX = 16;

  /** Weight of the latest frame in the moving average: 1/8 forgets within about 20 frames. */
  private static final double ETX_WEIGHT = 0.125;

  private final LongAdder framesIn = new LongAdder();
  private final LongAdder octetsIn = new LongAdder();
  private final LongAdder framesOut = new LongAdder();
  private final LongAdder octetsOut = new LongAdder();
  private final LongAdder savedIn = new LongAdder();
  private final LongAdder savedOut = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder transmissions = new LongAdder();
  private final Map<String, LongAdder> drops = new ConcurrentHashMap<>();
  private volatile double etx;
  private volatile @Nullable Instant heardAt;

  void received(int octets, Instant now) {
    framesIn.increment();
    octetsIn.add(octets);
    heardAt = now;
  }

  /** Counts an acknowledged or broadcast frame. */
  void sent(int octets, int transmitted) {
    framesOut.increment();
    octetsOut.add(octets);
    transmissions.add(transmitted);
    updateEtx(transmitted);
  }

  /** Counts the octets that compressed AH and ESP headers saved in a received packet. */
  void savedIn(int octets) {
    savedIn.add(octets);
  }

  /** Counts the octets that compressed AH and ESP headers save in a packet to be sent. */
  void savedOut(int octets) {
    savedOut.add(octets);
  }

  /** Counts a frame that failed after its last retransmission. */
  void failed(int transmitted) {
    failed.increment();
    transmissions.add(transmitted);
    updateEtx(GIVEN_UP_ETX);
  }

  private void updateEtx(double sample) {
    double before = etx;
    etx = before == 0 ? sample : before + ETX_WEIGHT * (sample - before);
  }

  /** Reasons are enum constants, so that received octets cannot make the map grow. */
  void dropped(Enum<?> reason) {
    drops.computeIfAbsent(DropCounters.label(reason), key -> new LongAdder()).increment();
  }

  LinkStatistics statistics() {
    SortedMap<String, Long> reasons = new TreeMap<>();
    drops.forEach((reason, count) -> reasons.put(reason, count.sum()));
    return new LinkStatistics(
        framesIn.sum(),
        octetsIn.sum(),
        framesOut.sum(),
        octetsOut.sum(),
        savedIn.sum(),
        savedOut.sum(),
        failed.sum(),
        transmissions.sum(),
        etx,
        heardAt,
        reasons);
  }
}
