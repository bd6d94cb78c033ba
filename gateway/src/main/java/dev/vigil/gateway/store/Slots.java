package dev.vigil.gateway.store;

import dev.vigil.directory.state.Fact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rule of what a slot keeps, where it concerns one batch. */
final class Slots {
  /** What stands for a change that brought no fact; no fact can have this slot. */
  static final String NO_SLOT = "";

  private Slots() {}

  /** How many facts its slot holds once this one is in: an emptied slot holds nothing older. */
  static int keep(Fact fact) {
    return fact.isNone() ? 1 : fact.keep();
  }

  /** The facts of a batch that others of the same batch do not supersede, in their order. */
  static List<Fact> survivors(List<Fact> facts) {
    if (facts.size() < 2) {
      return facts;
    }
    Map<String, Integer> room = new HashMap<>();
    List<Fact> survivors = new ArrayList<>(facts.size());
    for (Fact fact : facts.reversed()) {
      int left = room.getOrDefault(fact.slot(), Integer.MAX_VALUE);
      left = Math.min(left, keep(fact));
      if (left > 0) {
        survivors.add(fact);
      }
      room.put(fact.slot(), left - 1);
    }
    return List.copyOf(survivors.reversed());
  }
}
