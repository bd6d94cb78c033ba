package dev.vigil.border.storage;

import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Named numbers that survive a restart of the bridge: the sent frame counter, the highest frame
 * counter received from each neighbour, the DODAG version. Belongs to the pipeline thread.
 */
public interface DurableCounters {
  /** The stored number; empty if no number has this name. */
  OptionalLong load(String name);

  /** All stored numbers whose name starts with the prefix. */
  Map<String, Long> loadAll(String prefix);

  /**
   * Makes numbers durable, all or none, before it returns.
   *
   * @throws IOException if the numbers may not be durable; the caller must then not act on them
   */
  void save(Map<String, Long> numbers) throws IOException;
}
