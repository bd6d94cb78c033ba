package dev.vigil.border.pipeline;

import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts dropped frames and packets by reason. Reasons are enum constants, so that received octets
 * cannot make the map grow. Any thread may count and read.
 */
public final class DropCounters {
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  /** The label of a reason in metrics and diagnostics: lower case, words joined by underscores. */
  public static String label(Enum<?> reason) {
    return reason.name().toLowerCase(Locale.ROOT);
  }

  public void count(Enum<?> reason) {
    count(reason, 1);
  }

  public void count(Enum<?> reason, long number) {
    if (number == 0) {
      return;
    }
    counts.computeIfAbsent(label(reason), key -> new LongAdder()).add(number);
  }

  /** The count of one reason. */
  public long of(Enum<?> reason) {
    LongAdder adder = counts.get(label(reason));
    return adder == null ? 0 : adder.sum();
  }

  /** All counts above zero, by label. */
  public SortedMap<String, Long> snapshot() {
    SortedMap<String, Long> copy = new TreeMap<>();
    counts.forEach((label, adder) -> copy.put(label, adder.sum()));
    return copy;
  }
}
