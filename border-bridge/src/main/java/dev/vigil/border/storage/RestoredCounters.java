package dev.vigil.border.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Raises the counters of what is sent, in a file from a backup, above everything that may have been
 * sent since: a counter must not repeat under its key. Counters of what was heard stay, because a
 * neighbour whose counter is below them would be locked out.
 */
public final class RestoredCounters {
  /** The names of counters of what is sent end so. */
  public static final String SENT = "/sent";

  /** The last number of 32 bits. */
  private static final long LAST = 0xffff_ffffL;

  /** More than two radios of 250 kbit/s can send in a second. */
  private static final long PER_SECOND = 1_000;

  /** For clocks that differ by some minutes. */
  private static final long RESERVE = 1 << 20;

  private RestoredCounters() {}

  /**
   * @param file an existing file of counters that no process uses
   * @param elapsed time since the backup
   * @return the number of counters that are used up, so that their keys must be changed
   */
  public static int raise(Path file, Duration elapsed) throws IOException {
    long by = Math.multiplyExact(elapsed.toSeconds(), PER_SECOND) + RESERVE;
    int exhausted = 0;
    try (CounterFile counters = new CounterFile(file)) {
      Map<String, Long> raised = new TreeMap<>();
      for (Map.Entry<String, Long> counter : counters.loadAll("").entrySet()) {
        if (counter.getKey().endsWith(SENT)) {
          long next = Math.min(counter.getValue() + by, LAST);
          raised.put(counter.getKey(), next);
          exhausted += next == LAST ? 1 : 0;
        }
      }
      if (!raised.isEmpty()) {
        counters.save(raised);
      }
    }
    return exhausted;
  }
}
