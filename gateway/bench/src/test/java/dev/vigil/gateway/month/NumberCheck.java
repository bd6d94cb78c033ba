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
  private volatile @Nullable String fault;

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
      }
    }
  }

  /** The highest accepted numbers at this moment. */
  synchronized Map<EndpointName, Long> highest() {
    return Map.copyOf(highest);
  }

  void check() {
    String found = fault;
    if (found != null) {
      throw new Violation(found);
    }
  }
}
