package dev.vigil.border.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Marks a file of counters from a backup as restored, and raises the sent counters above every
 * number that may have been sent since the backup. A counter must not repeat under its key.
 * Received counters stay unchanged, because raising them would lock out neighbours whose counters
 * are lower. The DODAG version stays unchanged, because the root exceeds the version that it hears.
 *
 * <p>A counter that a restored file lacks may have been used since the backup. Without a record,
 * callers start a sent counter at {@link #lowestUnrecorded}, or do not use the key at all. They
 * accept no received frame or packet because of a missing record.
 */
public final class RestoredCounters {
  /** The suffix of the names of sent counters. */
  public static final String SENT = "/sent";

  /** The name of an upper bound of all sent counters without a record. */
  private static final String UNRECORDED = "restored" + SENT;

  private static final String RESTORES = "restored/count";

  /** The largest 32-bit number. */
  private static final long LAST = 0xffff_ffffL;

  /** More frames than two radios of 250 kbit/s can send in a second. */
  private static final long PER_SECOND = 1_000;

  /** A reserve for clocks that differ by some minutes. */
  private static final long RESERVE = 1 << 20;

  private RestoredCounters() {}

  /**
   * @param file the backup's file of counters, which no process may be using; created if the backup
   *     has none
   * @param elapsed time since the backup
   * @return the number of counters that are used up, so that their keys must be changed
   */
  public static int raise(Path file, Duration elapsed) throws IOException {
    long by = Math.multiplyExact(elapsed.toSeconds(), PER_SECOND) + RESERVE;
    int exhausted = 0;
    try (CounterFile counters = new CounterFile(file)) {
      Map<String, Long> raised = new TreeMap<>();
      for (Map.Entry<String, Long> counter : counters.loadAll("").entrySet()) {
        if (counter.getKey().endsWith(SENT) && !counter.getKey().equals(UNRECORDED)) {
          long next = Math.min(counter.getValue() + by, LAST);
          raised.put(counter.getKey(), next);
          exhausted += next == LAST ? 1 : 0;
        }
      }
      raised.put(UNRECORDED, Math.min(lowestUnrecorded(counters) + by, LAST));
      raised.put(RESTORES, restores(counters) + 1);
      counters.save(raised);
    }
    return exhausted;
  }

  /**
   * The number of times that the counters were restored from a backup. If it is 0, a missing record
   * means a new key.
   */
  public static long restores(DurableCounters counters) {
    return counters.load(RESTORES).orElse(0);
  }

  /** The first number that was certainly never sent under a key without a record. */
  public static long lowestUnrecorded(DurableCounters counters) {
    return counters.load(UNRECORDED).orElse(0);
  }
}
