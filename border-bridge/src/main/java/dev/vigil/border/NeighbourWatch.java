package dev.vigil.border;

import dev.vigil.border.ieee802154.Eui64;
import java.util.function.Supplier;

/** Hears, on the pipeline's thread, whom the bridge keeps figures of. */
public interface NeighbourWatch {
  /**
   * A neighbour has a place in the table now.
   *
   * @param figures its figures whenever asked, on any thread
   */
  void came(Eui64 eui64, Supplier<LinkFigures> figures);

  /** A neighbour gave its place up to another. */
  void went(Eui64 eui64);
}
