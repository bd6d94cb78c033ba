package dev.vigil.mirror.state;

import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Determines how many values of a resource the store keeps in domains that bound their history by
 * age or size. It is a projection of the feed: the arrival and the size of each stored value.
 *
 * <p>The feed's thread applies changes, and any thread may read; each deque is guarded by its
 * monitor.
 */
public final class HistoryRetention {
  private final Map<String, Domain> domains;
  private final Clock clock;
  private final Map<Resource, ArrayDeque<Stored>> stored = new ConcurrentHashMap<>();

  /**
   * Whether the values of a domain are counted, by domain name; decided at its first change. A
   * domain that bounds its history later is counted from the next start, which reads all its
   * changes. Counting it at once would miss its old values and remove new ones too early.
   */
  private final Map<String, Boolean> counted = new ConcurrentHashMap<>();

  private record Resource(EndpointName name, String slot) {}

  /**
   * @param at arrival, unix time in milliseconds
   */
  private record Stored(long at, int octets) {}

  public HistoryRetention(Map<String, Domain> domains, Clock clock) {
    this.domains = domains;
    this.clock = clock;
  }

  /**
   * Whether this projection must be given all values that the store keeps, not only the newest
   * ones.
   */
  public boolean countsHistories() {
    return domains.values().stream().anyMatch(domain -> domain.limits().boundsHistory());
  }

  /** Applies the next change of the feed. */
  public void apply(Change change) {
    Domain domain = domains.get(change.endpoint().d());
    if (domain == null || !isCounted(domain)) {
      return;
    }
    for (Fact fact : change.facts()) {
      if (fact.slot().startsWith(StoreSlots.VALUE)) {
        Resource resource = new Resource(change.endpoint(), fact.slot());
        if (fact.isNone()) {
          stored.remove(resource);
        } else {
          add(resource, new Stored(change.at().toEpochMilli(), fact.body().length), fact.keep());
        }
      }
    }
  }

  private boolean isCounted(Domain domain) {
    return counted.computeIfAbsent(domain.name(), name -> domain.limits().boundsHistory());
  }

  private void add(Resource resource, Stored newest, int keep) {
    ArrayDeque<Stored> values = stored.computeIfAbsent(resource, r -> new ArrayDeque<>());
    synchronized (values) {
      values.add(newest);
      while (values.size() > keep) {
        values.removeFirst();
      }
    }
  }

  /** A value of an endpoint whose earlier values are not counted. */
  public static Fact firstValue(Domain domain, String path, byte[] body) {
    return new Fact(
        StoreSlots.VALUE + path, domain.newestValues(), domain.keepsOlderValues(), body);
  }

  /**
   * The fact of a new value. It keeps the earlier ones that are young enough and fit. If one of the
   * newest values is too old, so are all older ones. A concurrent update is not counted; the oldest
   * value then leaves one update early.
   */
  public Fact value(Domain domain, EndpointName name, String path, byte[] body) {
    ArrayDeque<Stored> values =
        domain.limits().boundsHistory()
            ? stored.get(new Resource(name, StoreSlots.VALUE + path))
            : null;
    if (values == null) {
      return firstValue(domain, path, body);
    }
    int keep = 1;
    long octets = 0;
    synchronized (values) {
      for (Iterator<Stored> each = values.descendingIterator(); each.hasNext(); keep++) {
        Stored value = each.next();
        octets += value.octets;
        if (isTooOld(domain, value.at) || !fits(domain, octets)) {
          return new Fact(StoreSlots.VALUE + path, Math.min(domain.newestValues(), keep), body);
        }
      }
    }
    return firstValue(domain, path, body);
  }

  private static boolean fits(Domain domain, long octets) {
    return domain.limits().historyOctets() == 0 || octets <= domain.limits().historyOctets();
  }

  private boolean isTooOld(Domain domain, long at) {
    long age = domain.limits().historyAge().toMillis();
    return age > 0 && at < clock.millis() - age;
  }

  /** The earliest arrival of values other than the newest that may be served; empty for any. */
  public Optional<Instant> oldestVisible(EndpointName name) {
    Domain domain = domains.get(name.d());
    return domain == null || !domain.limits().historyAge().isPositive()
        ? Optional.empty()
        : Optional.of(clock.instant().minus(domain.limits().historyAge()));
  }

  /**
   * Whether a value may be served: the newest always, an earlier one unless it is too old. This
   * check is needed because an old value leaves the store only with the next update, which may take
   * long.
   */
  public boolean isVisible(MirroredEndpoint endpoint, StoredValue value) {
    Domain domain = domains.get(endpoint.name().d());
    StoredValue newest = endpoint.value(value.path());
    return domain == null
        || newest != null && newest.seq() == value.seq()
        || !isTooOld(domain, value.arrived());
  }
}
