package dev.vigil.border;

import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what was dropped, by reason. Reasons are enum constants, so that nobody from outside can
 * make the map grow. Any thread may count and read.
 */
public final class Drops {
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  /** Counts one. */
  public void count(Enum<?> reason) {
    count(reason, 1);
  }

  /** Counts several. */
  public void count(Enum<?> reason, long many) {
    String label = reason.name().toLowerCase(Locale.ROOT);
    counts.computeIfAbsent(label, key -> new LongAdder()).add(many);
  }

  /** How many of one reason. */
  public long of(Enum<?> reason) {
    LongAdder adder = counts.get(reason.name().toLowerCase(Locale.ROOT));
    return adder == null ? 0 : adder.sum();
  }

  /** All counts by label, those that ever happened. */
  public SortedMap<String, Long> snapshot() {
    SortedMap<String, Long> copy = new TreeMap<>();
    counts.forEach((label, adder) -> copy.put(label, adder.sum()));
    return copy;
  }
}
