package dev.vigil.gateway.store.sqlite.memory;

import dev.vigil.store.EndpointName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * The cleared slots of reserved names, oldest first. The gateway keeps its records under these
 * names. Without this class, each removed record would leave a row that only marks the removal.
 */
public final class ClearedSlots {
  private final Deque<ClearedSlot> waiting = new ArrayDeque<>();

  /**
   * @param key of the row that cleared the slot
   */
  public record ClearedSlot(EndpointName name, String slot, long key) {}

  public synchronized void add(ClearedSlot cleared) {
    waiting.addLast(cleared);
  }

  public synchronized int size() {
    return waiting.size();
  }

  /**
   * Takes the oldest slots.
   *
   * @param left the number of slots that may stay
   * @param isCleared whether a slot is unchanged since it was cleared; other slots are dropped
   * @param mustStay whether the row of a slot is still needed; the slot is then taken later
   */
  public synchronized List<ClearedSlot> take(
      int left, Predicate<ClearedSlot> isCleared, Predicate<ClearedSlot> mustStay) {
    List<ClearedSlot> taken = new ArrayList<>();
    for (int excess = waiting.size() - left; excess > 0; excess--) {
      ClearedSlot oldest = waiting.removeFirst();
      if (!isCleared.test(oldest)) {
        continue;
      }
      if (mustStay.test(oldest)) {
        waiting.addLast(oldest);
      } else {
        taken.add(oldest);
      }
    }
    return taken;
  }
}
