package dev.vigil.border.link;

import dev.vigil.border.ieee802154.Eui64;
import java.util.function.Supplier;

/** Receives changes of the neighbour table. Called on the pipeline thread. */
public interface NeighbourListener {
  /**
   * A neighbour was added to the table.
   *
   * @param statistics reads the neighbour's current statistics, on any thread
   */
  void added(Eui64 eui64, Supplier<LinkStatistics> statistics);

  /** A neighbour was replaced by another. */
  void removed(Eui64 eui64);
}
