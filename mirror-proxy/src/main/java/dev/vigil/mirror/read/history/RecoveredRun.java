package dev.vigil.mirror.read.history;

import dev.vigil.mirror.state.RecoveredReadings.Recovered;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges recovered readings into a series of updates. A reading precedes the first update that
 * arrived after its measurement. An object serves one thread and one pass.
 */
public final class RecoveredRun {
  private final Deque<Recovered> left;
  private final boolean newestFirst;

  private RecoveredRun(List<Recovered> left, boolean newestFirst) {
    this.left = new ArrayDeque<>(left);
    this.newestFirst = newestFirst;
  }

  /**
   * @param all by ascending time of measurement
   * @param bound arrival of the update after which the series begins; null to begin at the end
   * @param newestFirst whether the updates follow by descending number
   */
  public static RecoveredRun of(List<Recovered> all, @Nullable Instant bound, boolean newestFirst) {
    List<Recovered> inOrder = newestFirst ? all.reversed() : all;
    return new RecoveredRun(
        inOrder.stream()
            .filter(one -> bound == null || isBefore(one, bound) == newestFirst)
            .toList(),
        newestFirst);
  }

  private static boolean isBefore(Recovered one, Instant arrival) {
    return one.value().measured().isBefore(arrival);
  }

  /** Takes the readings that precede the next update in this order. */
  public List<Recovered> until(Instant arrival) {
    List<Recovered> taken = new ArrayList<>();
    while (!left.isEmpty() && isBefore(left.getFirst(), arrival) != newestFirst) {
      taken.add(left.removeFirst());
    }
    return taken;
  }

  /** Takes the readings that follow the last update. */
  public List<Recovered> rest() {
    List<Recovered> taken = List.copyOf(left);
    left.clear();
    return taken;
  }
}
