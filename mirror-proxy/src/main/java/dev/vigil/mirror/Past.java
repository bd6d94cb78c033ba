package dev.vigil.mirror;

import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the store keeps of each resource, in domains that bound their history by age or size: when
 * each value came and how large it is. Folded up from the feed on its thread, asked by all.
 */
final class Past {
  private final Map<String, Domain> domains;
  private final Clock clock;
  private final Map<Slot, ArrayDeque<Kept>> kept = new ConcurrentHashMap<>();

  private record Slot(EndpointName name, String slot) {}

  /**
   * @param at unix time, milliseconds
   */
  private record Kept(long at, int octets) {}

  Past(Map<String, Domain> domains, Clock clock) {
    this.domains = domains;
    this.clock = clock;
  }

  void fold(Change change) {
    Domain domain = domains.get(change.endpoint().d());
    if (domain == null || !domain.limits().boundsHistory()) {
      return;
    }
    for (Fact fact : change.facts()) {
      if (fact.slot().startsWith(Slots.VALUE)) {
        Slot slot = new Slot(change.endpoint(), fact.slot());
        if (fact.isNone()) {
          kept.remove(slot);
        } else {
          add(slot, new Kept(change.at().toEpochMilli(), fact.body().length), fact.keep());
        }
      }
    }
  }

  private void add(Slot slot, Kept newest, int keep) {
    ArrayDeque<Kept> values = kept.computeIfAbsent(slot, s -> new ArrayDeque<>());
    synchronized (values) {
      values.add(newest);
      while (values.size() > keep) {
        values.removeFirst();
      }
    }
  }

  /**
   * How many values stay once another one is in: it, and before it those that are young enough and
   * fit. One that is in flight at the same time is not counted, and costs the oldest its place.
   */
  int keep(Domain domain, EndpointName name, String path) {
    ArrayDeque<Kept> values =
        domain.limits().boundsHistory() ? kept.get(new Slot(name, Slots.VALUE + path)) : null;
    if (values == null) {
      return domain.history();
    }
    int keep = 1;
    long octets = 0;
    synchronized (values) {
      for (Iterator<Kept> each = values.descendingIterator(); each.hasNext(); keep++) {
        Kept value = each.next();
        octets += value.octets;
        if (isOver(domain, value.at) || !fits(domain, octets)) {
          break;
        }
      }
    }
    return Math.min(domain.history(), keep);
  }

  private static boolean fits(Domain domain, long octets) {
    return domain.limits().historyOctets() == 0 || octets <= domain.limits().historyOctets();
  }

  private boolean isOver(Domain domain, long at) {
    long age = domain.limits().historyAge().toMillis();
    return age > 0 && at < clock.millis() - age;
  }

  /**
   * Whether a value of the past may still be shown: what is too old leaves the store with the next
   * update only, which may be long in coming. The newest may always.
   */
  boolean shows(Mirrored known, StoredValue value) {
    Domain domain = domains.get(known.name().d());
    StoredValue newest = known.value(value.path());
    return domain == null
        || newest != null && newest.seq() == value.seq()
        || !isOver(domain, value.arrived());
  }
}
