package dev.vigil.border.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Marks a file of counters from a backup as restored, and raises the counters of what is sent above
 * everything that may have been sent since: a counter must not repeat under its key. Counters of
 * what was heard stay, because a neighbour whose counter is below them would be locked out.
 *
 * <p>A counter that a restored file lacks may have been used since the backup. Who finds no record
 * starts a counter of what is sent at {@link #lowestUnrecorded}, or uses the key for nothing, and
 * accepts nothing on the strength of a missing record.
 */
public final class RestoredCounters {
  /** The names of counters of what is sent end so. */
  public static final String SENT = "/sent";

  /** A counter of what is sent without a record is not above this one. */
  private static final String UNRECORDED = "restored" + SENT;

  private static final String RESTORES = "restored/count";

  /** The last number of 32 bits. */
  private static final long LAST = 0xffff_ffffL;

  /** More than two radios of 250 kbit/s can send in a second. */
  private static final long PER_SECOND = 1_000;

  /** For clocks that differ by some minutes. */
  private static final long RESERVE = 1 << 20;

  private RestoredCounters() {}

  /**
   * @param file the backup's file of counters, which no process uses; made if the backup has none
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

  /** How often the counters were restored from a backup; 0: a missing record means a new key. */
  public static long restores(DurableCounters counters) {
    return counters.load(RESTORES).orElse(0);
  }

  /** The first number that nothing can have been sent under for which there is no record. */
  public static long lowestUnrecorded(DurableCounters counters) {
    return counters.load(UNRECORDED).orElse(0);
  }
}
