package dev.vigil.border;

import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What went over one link, to one neighbour or through one radio, since the start. The pipeline
 * counts, any thread reads.
 */
final class LinkTally {
  /** What a frame counts as that was given up: as many transmissions as no radio makes. */
  private static final double GIVEN_UP = 16;

  /** The share of the latest frame in the expected transmissions; 1/8 forgets within some 20. */
  private static final double SHARE = 0.125;

  private final LongAdder framesIn = new LongAdder();
  private final LongAdder octetsIn = new LongAdder();
  private final LongAdder framesOut = new LongAdder();
  private final LongAdder octetsOut = new LongAdder();
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

  /** A frame that the other end acknowledged, or that went to all. */
  void sent(int octets, int transmitted) {
    framesOut.increment();
    octetsOut.add(octets);
    transmissions.add(transmitted);
    expect(transmitted);
  }

  /** A frame that was given up. */
  void failed(int transmitted) {
    failed.increment();
    transmissions.add(transmitted);
    expect(GIVEN_UP);
  }

  private void expect(double sample) {
    double before = etx;
    etx = before == 0 ? sample : before + SHARE * (sample - before);
  }

  /** Reasons are enum constants, so that nobody from outside can make the map grow. */
  void dropped(Enum<?> reason) {
    drops.computeIfAbsent(Drops.label(reason), key -> new LongAdder()).increment();
  }

  LinkFigures figures() {
    SortedMap<String, Long> reasons = new TreeMap<>();
    drops.forEach((reason, count) -> reasons.put(reason, count.sum()));
    return new LinkFigures(
        framesIn.sum(),
        octetsIn.sum(),
        framesOut.sum(),
        octetsOut.sum(),
        failed.sum(),
        transmissions.sum(),
        etx,
        heardAt,
        reasons);
  }
}
