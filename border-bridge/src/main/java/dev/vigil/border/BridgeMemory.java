package dev.vigil.border;

import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The numbers a bridge must not forget when it restarts: frame counters, the highest counters
 * heard, the DODAG version. Used by the pipeline thread only.
 */
public interface BridgeMemory {
  /** A stored number. */
  OptionalLong load(String name);

  /** All stored numbers whose name starts so. */
  Map<String, Long> loadAll(String prefix);

  /**
   * Makes numbers durable, all or none, before it returns.
   *
   * @throws IOException if they may not be: what depends on them must not happen then
   */
  void save(Map<String, Long> numbers) throws IOException;
}
