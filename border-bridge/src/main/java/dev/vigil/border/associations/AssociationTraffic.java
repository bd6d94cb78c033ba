package dev.vigil.border.associations;

import dev.vigil.border.wire.Drop;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of what one association has carried and dropped since the start. The pipeline thread
 * counts; any thread may read.
 */
final class AssociationTraffic {
  private final LongAdder packets = new LongAdder();
  private final LongAdder octets = new LongAdder();
  private final LongAdder icvFailures = new LongAdder();
  private final LongAdder replays = new LongAdder();
  private final LongAdder policyDrops = new LongAdder();
  private final LongAdder otherDrops = new LongAdder();
  private final LongAdder octetsSaved = new LongAdder();

  /** Counts a packet that was protected or opened, with its octets in clear. */
  void carried(int size) {
    packets.increment();
    octets.add(size);
  }

  void saved(int count) {
    octetsSaved.add(count);
  }

  void dropped(Drop reason) {
    LongAdder counter =
        switch (reason) {
          case ICV_WRONG -> icvFailures;
          case SEQUENCE_REPLAYED -> replays;
          case POLICY -> policyDrops;
          default -> otherDrops;
        };
    counter.increment();
  }

  AssociationStatus.Figures figures() {
    return new AssociationStatus.Figures(
        packets.sum(),
        octets.sum(),
        icvFailures.sum(),
        replays.sum(),
        policyDrops.sum(),
        otherDrops.sum(),
        octetsSaved.sum());
  }
}
