package dev.vigil.gateway.store.sqlite;

import dev.vigil.store.EndpointName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * The slots of reserved names that were emptied, oldest first. Records of the gateway come and go
 * under such names; each that went would otherwise leave a row that says that it is gone.
 */
final class ClearedSlots {
  private final Deque<ClearedSlot> waiting = new ArrayDeque<>();

  /**
   * @param key of the row that cleared the slot
   */
  record ClearedSlot(EndpointName name, String slot, long key) {}

  synchronized void add(ClearedSlot cleared) {
    waiting.addLast(cleared);
  }

  synchronized int size() {
    return waiting.size();
  }

  /**
   * Takes the oldest slots.
   *
   * @param left the number of slots that may stay
   * @param isCleared whether a slot is still as its clearing left it; others are dropped
   * @param mustStay whether its row is still needed; the slot is then taken another time
   */
  synchronized List<ClearedSlot> take(
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
