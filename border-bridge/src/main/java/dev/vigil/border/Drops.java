package dev.vigil.border;

import dev.vigil.border.host.HostDrop;
import dev.vigil.border.radio.RadioDrop;
import dev.vigil.border.rpl.RplDrop;
import dev.vigil.border.tun.FilterDrop;
import dev.vigil.border.wire.Drop;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Counts what was dropped, by reason. Reasons are enum constants, so that nobody from outside can
 * make the map grow. Any thread may count and read.
 */
public final class Drops {
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  /** Every reason there is. */
  static final List<Enum<?>> REASONS =
      Stream.<Enum<?>[]>of(
              Drop.values(),
              BridgeDrop.values(),
              RadioDrop.values(),
              HostDrop.values(),
              RplDrop.values(),
              FilterDrop.values())
          .flatMap(Stream::of)
          .toList();

  /** A reason as metrics and diagnostics spell it: lower case, words joined by underscores. */
  static String label(Enum<?> reason) {
    return reason.name().toLowerCase(Locale.ROOT);
  }

  /** Counts one. */
  public void count(Enum<?> reason) {
    count(reason, 1);
  }

  /** Counts several. */
  public void count(Enum<?> reason, long many) {
    if (many == 0) {
      return;
    }
    counts.computeIfAbsent(label(reason), key -> new LongAdder()).add(many);
  }

  /** How many of one reason. */
  public long of(Enum<?> reason) {
    LongAdder adder = counts.get(label(reason));
    return adder == null ? 0 : adder.sum();
  }

  /** All counts by label, those that ever happened. */
  public SortedMap<String, Long> snapshot() {
    SortedMap<String, Long> copy = new TreeMap<>();
    counts.forEach((label, adder) -> copy.put(label, adder.sum()));
    return copy;
  }
}
