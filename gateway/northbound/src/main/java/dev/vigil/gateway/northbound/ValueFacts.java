package dev.vigil.gateway.northbound;

import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import java.util.List;

/** Extracts the facts of a change that matter to destinations of values. */
public final class ValueFacts {
  private ValueFacts() {}

  public static boolean isValue(Fact fact) {
    return fact.slot().startsWith(StoreSlots.VALUE) && !fact.isNone();
  }

  /** Number of values in a change. */
  public static int count(Change change) {
    return (int) change.facts().stream().filter(ValueFacts::isValue).count();
  }

  /** Paths of the resources whose values a change removes. */
  public static List<String> removed(Change change) {
    return change.facts().stream()
        .filter(fact -> fact.slot().startsWith(StoreSlots.VALUE) && fact.isNone())
        .map(fact -> fact.slot().substring(StoreSlots.VALUE.length()))
        .toList();
  }

  /**
   * @param fact a value among the facts of the change
   */
  public static StoredValue value(Change change, Fact fact) {
    return new StoredValue(
        fact.slot().substring(StoreSlots.VALUE.length()),
        change.high(),
        change.at().toEpochMilli(),
        fact.body());
  }

  /** Whether the endpoint withdrew, or its registration ended. */
  public static boolean isEnd(Fact fact) {
    return fact.slot().equals(StoreSlots.LEASE)
        && (fact.isNone() || Lease.read(fact.body()).lifetime() == 0);
  }
}
