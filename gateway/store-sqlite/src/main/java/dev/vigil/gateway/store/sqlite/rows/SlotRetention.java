package dev.vigil.gateway.store.sqlite.rows;

import dev.vigil.store.Fact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The number of facts that a slot keeps, and the facts of a batch that remain under this limit. */
public final class SlotRetention {
  /** The slot in the row of a change without facts; no fact can have this slot. */
  public static final String NO_SLOT = "";

  /** The number of rows that leave a slot with older facts together, and become one group. */
  private static final int TOGETHER = 18;

  /** With fewer rows, a group would take more octets than its rows save. */
  private static final int MIN_TOGETHER = 4;

  private SlotRetention() {}

  /**
   * The number of oldest rows that leave a slot with older facts when a row is added.
   *
   * @param size number of rows with the new one
   * @param isTurn whether endpoints in general move their rows now, even if there are only few
   */
  public static int leaving(int size, int keep, boolean isTurn) {
    int together = Math.min(TOGETHER, keep / 4);
    int excess = size - keep + together;
    return size > keep || isTurn && excess >= MIN_TOGETHER ? Math.max(excess, 0) : 0;
  }

  /** The column {@code keep}, which is negative for slots with older facts. */
  public static int column(Fact fact) {
    return fact.keepsOlder() ? -fact.keep() : fact.keep();
  }

  /** The fact with that column {@code keep}. */
  public static Fact fact(String slot, int column, byte[] body) {
    return new Fact(slot, Math.abs(column), column < 0, body);
  }

  /**
   * The number of facts in the slot after this fact; a fact that empties the slot removes all older
   * facts.
   */
  public static int keep(Fact fact) {
    return fact.isNone() ? 1 : fact.keep();
  }

  /** The facts of a batch, in order, without those that later facts of the same batch supersede. */
  public static List<Fact> survivors(List<Fact> facts) {
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
