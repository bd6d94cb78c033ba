package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.EndpointStateIndex.Identity;
import dev.vigil.gateway.store.sqlite.memory.ClearedSlots;
import dev.vigil.gateway.store.sqlite.memory.ClearedSlots.ClearedSlot;
import dev.vigil.store.EndpointName;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints, and the slots of reserved names, that the store may forget because they have no
 * data. Any thread may call it.
 */
final class ForgettableEndpoints {
  private final Map<EndpointName, EndpointEntry> byName;

  /** In the order in which they became forgettable; guarded by itself. */
  private final Set<EndpointName> emptied = new LinkedHashSet<>();

  private final ClearedSlots cleared = new ClearedSlots();

  /**
   * An endpoint that was never trusted and has no data.
   *
   * @param keys of its rows
   */
  record Forgettable(Identity identity, long[] keys) {}

  /**
   * @param byName all endpoints
   */
  ForgettableEndpoints(Map<EndpointName, EndpointEntry> byName) {
    this.byName = byName;
  }

  /** The number of names that may be forgettable. */
  int names() {
    synchronized (emptied) {
      return emptied.size();
    }
  }

  /** The number of slots that may be forgettable. */
  int slots() {
    return cleared.size();
  }

  void add(EndpointEntry entry) {
    synchronized (emptied) {
      emptied.add(entry.identity.name());
    }
  }

  void add(ClearedSlot slot) {
    cleared.add(slot);
  }

  /**
   * Processes a change of an endpoint.
   *
   * @param clears whether it cleared a slot
   */
  void changed(EndpointEntry entry, boolean clears) {
    synchronized (emptied) {
      if (clears && entry.isEmptied()) {
        emptied.add(entry.identity.name());
      } else if (!emptied.isEmpty()) {
        emptied.remove(entry.identity.name());
      }
    }
  }

  /** An endpoint without data; null if it has data or had a sequence number. */
  @Nullable Forgettable ifEmptied(EndpointName name) {
    EndpointEntry entry = byName.get(name);
    if (entry == null) {
      return null;
    }
    synchronized (entry) {
      return entry.isEmptied() ? new Forgettable(entry.identity, entry.keysAfter(0)) : null;
    }
  }

  /**
   * Takes the names that have been forgettable for the longest time. Reserved names are few and
   * stay: otherwise nothing would say that their records were removed.
   *
   * @param left the number of names that may stay
   * @param mustStay whether an endpoint without data must not be forgotten
   * @return endpoints that are still forgettable
   */
  List<Forgettable> takeNames(int left, Predicate<Forgettable> mustStay) {
    List<Forgettable> taken = new ArrayList<>();
    synchronized (emptied) {
      Iterator<EndpointName> names = emptied.iterator();
      for (int excess = emptied.size() - left; excess > 0; excess--) {
        Forgettable found = ifEmptied(names.next());
        names.remove();
        if (found != null && !found.identity().name().isReserved() && !mustStay.test(found)) {
          taken.add(found);
        }
      }
    }
    return taken;
  }

  /**
   * Takes the slots of reserved names that were cleared first.
   *
   * @param left the number of slots that may stay
   * @return slots whose only row can be deleted because the endpoint has a newer row
   */
  List<ClearedSlot> takeSlots(int left) {
    return cleared.take(
        left,
        slot -> {
          EndpointEntry entry = byName.get(slot.name());
          return entry != null && entry.isClearedBy(slot.slot(), slot.key());
        },
        slot -> {
          EndpointEntry entry = byName.get(slot.name());
          return entry == null || entry.isNewest(slot.key());
        });
  }
}
