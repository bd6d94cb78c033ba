package dev.vigil.gateway.store.sqlite;

import dev.vigil.store.Fact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The number of facts that a slot keeps, and the facts of a batch that remain under this limit. */
final class SlotRetention {
  /** The slot in the row of a change without facts; no fact can have this slot. */
  static final String NO_SLOT = "";

  private SlotRetention() {}

  /**
   * The number of facts in the slot after this fact; a fact that empties the slot removes all older
   * facts.
   */
  static int keep(Fact fact) {
    return fact.isNone() ? 1 : fact.keep();
  }

  /** The facts of a batch, in order, without those that later facts of the same batch supersede. */
  static List<Fact> survivors(List<Fact> facts) {
    if (facts.size() < 2) {
      return facts;
    }
    Map<String, Integer> capacities = new HashMap<>();
    List<Fact> survivors = new ArrayList<>(facts.size());
    for (Fact fact : facts.reversed()) {
      int capacity = capacities.getOrDefault(fact.slot(), Integer.MAX_VALUE);
      capacity = Math.min(capacity, keep(fact));
      if (capacity > 0) {
        survivors.add(fact);
      }
      capacities.put(fact.slot(), capacity - 1);
    }
    return List.copyOf(survivors.reversed());
  }
}
