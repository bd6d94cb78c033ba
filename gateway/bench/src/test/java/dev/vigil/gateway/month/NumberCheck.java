package dev.vigil.gateway.month;

import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * No sequence number is accepted twice: also after an endpoint was forgotten or replaced, and after
 * a restoration, the next accepted number is above all before. Follows the feed of each run.
 */
final class NumberCheck {
  private final Map<EndpointName, Long> highest = new HashMap<>();

  /** Of the updates that the present run accepted. */
  private final Map<Slot, Long> newest = new HashMap<>();

  private volatile @Nullable String fault;

  private record Slot(EndpointName endpoint, String name) {}

  synchronized void beginRun() {
    newest.clear();
  }

  /** On the store's thread, one run after the other. */
  synchronized void follow(Change change) {
    for (Fact fact : change.facts()) {
      if (fact.slot().startsWith(StoreSlots.VALUE) && !fact.isNone()) {
        long before = highest.getOrDefault(change.endpoint(), 0L);
        if (change.high() <= before && fault == null) {
          fault =
              "%s: number %d was accepted after %d"
                  .formatted(change.endpoint(), change.high(), before);
        }
        highest.merge(change.endpoint(), change.high(), Math::max);
        newest.put(new Slot(change.endpoint(), fact.slot()), change.high());
      }
    }
  }

  /** The highest accepted numbers at this moment. */
  synchronized Map<EndpointName, Long> highest() {
    return Map.copyOf(highest);
  }

  /** The number of the last update of a resource in the present run; 0 if there is none. */
  synchronized long newest(EndpointName endpoint, String path) {
    return newest.getOrDefault(new Slot(endpoint, StoreSlots.VALUE + path), 0L);
  }

  void check() {
    String found = fault;
    if (found != null) {
      throw new Violation(found);
    }
  }
}
