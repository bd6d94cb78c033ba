package dev.vigil.mirror.state;

import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.RecoveredValue;
import dev.vigil.mirror.model.Recovery;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Readings that were fetched from endpoints' block stores. In addition to its signed values, a
 * resource keeps as many recovered readings as newest signed ones, at most {@link #MAX_KEPT}.
 *
 * <p>It is a projection of the feed: which endpoints have a block store, and which of their
 * resources have recovered readings. The feed's thread applies changes, and any thread may read.
 */
public final class RecoveredReadings {
  private static final int MAX_KEPT = 10_000;

  /** Octets of one reading in the store, for domains that bound their history by size. */
  private static final int OCTETS = 128;

  /** Number of values that are read at a time. */
  private static final int PAGE = 500;

  /** Number of values of each resource that are searched for gaps. */
  private static final int MAX_LOOKED_AT = 20_000;

  /**
   * The greatest difference of the clocks of a cluster. An arrival that is later than the newest
   * one by more shows that the clock was set back.
   */
  public static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(1);

  private final Store store;
  private final Map<String, Domain> domains;
  private final Clock clock;
  private final Map<EndpointName, Recovery> recoveries = new ConcurrentHashMap<>();
  private final Map<EndpointName, Set<String>> slots = new ConcurrentHashMap<>();

  /** A period without any accepted update, between two arrivals. */
  public record Gap(Instant from, Instant to) {}

  public RecoveredReadings(Store store, Map<String, Domain> domains, Clock clock) {
    this.store = store;
    this.domains = domains;
    this.clock = clock;
  }

  /** Applies the next change of the feed. */
  public void apply(Change change) {
    for (Fact fact : change.facts()) {
      if (fact.slot().equals(StoreSlots.RECOVERY)) {
        if (fact.isNone()) {
          recoveries.remove(change.endpoint());
        } else {
          recoveries.put(change.endpoint(), Recovery.read(fact.body()));
        }
      } else if (fact.slot().startsWith(StoreSlots.RECOVERED)) {
        Set<String> known =
            slots.computeIfAbsent(change.endpoint(), name -> ConcurrentHashMap.newKeySet());
        if (fact.isNone()) {
          known.remove(fact.slot());
        } else {
          known.add(fact.slot());
        }
      }
    }
  }

  /** How far the block store of an endpoint was searched; empty before the first time. */
  public Optional<Recovery> recovery(EndpointName name) {
    return Optional.ofNullable(recoveries.get(name));
  }

  /** The endpoint to which the block store of a mote belongs. */
  public Optional<EndpointName> owner(String mote) {
    return recoveries.entrySet().stream()
        .filter(entry -> entry.getValue().mote().equals(mote))
        .map(Map.Entry::getKey)
        .findAny();
  }

  /** The recovered readings of a resource that may be served, the oldest measurement first. */
  public List<Recovered> values(EndpointName name, String path) {
    String slot = StoreSlots.RECOVERED + path;
    if (!slots.getOrDefault(name, Set.of()).contains(slot)) {
      return List.of();
    }
    Instant oldest = oldestServed(domains.get(name.d()));
    return store.history(name, slot, -1, MAX_KEPT).stream()
        .map(entry -> new Recovered(RecoveredValue.read(entry.body()), entry.at()))
        .filter(one -> !one.value().measured().isBefore(oldest))
        .sorted(Comparator.comparing(one -> one.value().measured()))
        .toList();
  }

  /** A recovered reading, and when it was stored. */
  public record Recovered(RecoveredValue value, Instant at) {}

  private Instant oldestServed(@Nullable Domain domain) {
    Duration age = domain == null ? Duration.ZERO : domain.limits().historyAge();
    return age.isPositive() ? clock.instant().minus(age) : Instant.MIN;
  }

  /**
   * The batch that stores recovered readings.
   *
   * @param values by the path of their resource
   */
  public Batch batch(
      MirroredEndpoint endpoint,
      Recovery recovery,
      Map<String, ? extends Collection<RecoveredValue>> values) {
    int keep = kept(endpoint.name());
    List<Fact> facts = new ArrayList<>();
    values.forEach(
        (path, readings) ->
            readings.forEach(
                reading -> facts.add(new Fact(StoreSlots.RECOVERED + path, keep, reading.body()))));
    facts.add(new Fact(StoreSlots.RECOVERY, 1, recovery.body()));
    return new Batch(
        endpoint.name(),
        clock.instant(),
        OptionalLong.empty(),
        OptionalLong.of(endpoint.version()),
        facts);
  }

  /** The number of recovered readings that each resource of an endpoint keeps. */
  public int kept(EndpointName name) {
    Domain domain = domains.get(name.d());
    if (domain == null) {
      return 1;
    }
    long octets = domain.limits().historyOctets();
    long fitting = octets == 0 ? MAX_KEPT : Math.max(1, octets / OCTETS);
    return (int) Math.min(Math.min(domain.newestValues(), fitting), MAX_KEPT);
  }

  /** The facts that remove an endpoint's recovered readings. */
  public List<Fact> removal(EndpointName name) {
    return recoveries.containsKey(name)
        ? Stream.concat(Stream.of(StoreSlots.RECOVERY), slots.getOrDefault(name, Set.of()).stream())
            .map(Fact::none)
            .toList()
        : List.of();
  }

  /**
   * The gaps between arrivals of an endpoint's kept values, oldest first.
   *
   * @param after only gaps that ended later
   * @param longerThan between two arrivals
   */
  public List<Gap> gaps(MirroredEndpoint endpoint, Instant after, Duration longerThan) {
    Instant latest = Instant.ofEpochMilli(endpoint.lastHeard()).plus(CLOCK_DIFFERENCE);
    List<Instant> arrivals =
        endpoint.values().stream()
            .flatMap(value -> arrivals(endpoint.name(), value.path(), after).stream())
            .filter(arrival -> !arrival.isAfter(latest))
            .sorted()
            .toList();
    List<Gap> gaps = new ArrayList<>();
    for (int i = 1; i < arrivals.size(); i++) {
      Gap gap = new Gap(arrivals.get(i - 1), arrivals.get(i));
      if (gap.to().isAfter(after)
          && Duration.between(gap.from(), gap.to()).compareTo(longerThan) > 0) {
        gaps.add(gap);
      }
    }
    return gaps;
  }

  /** The arrivals after a time, and the last one before it. */
  private List<Instant> arrivals(EndpointName name, String path, Instant after) {
    List<Instant> arrivals = new ArrayList<>();
    long before = Long.MAX_VALUE;
    List<Store.HistoryEntry> page;
    do {
      page = store.historyBack(name, StoreSlots.VALUE + path, before, PAGE);
      for (Store.HistoryEntry entry : page) {
        arrivals.add(entry.at());
        before = entry.sequence();
        if (!entry.at().isAfter(after)) {
          return arrivals;
        }
      }
    } while (page.size() == PAGE && arrivals.size() < MAX_LOOKED_AT);
    return arrivals;
  }

  /**
   * The sequence numbers of a resource's kept values that arrived within a period, both ends
   * included.
   */
  public Set<Long> numbers(EndpointName name, String path, Instant from, Instant to) {
    Set<Long> numbers = ConcurrentHashMap.newKeySet();
    long before = Long.MAX_VALUE;
    List<Store.HistoryEntry> page;
    do {
      page = store.historyBack(name, StoreSlots.VALUE + path, before, PAGE);
      for (Store.HistoryEntry entry : page) {
        before = entry.sequence();
        if (entry.at().isBefore(from)) {
          return numbers;
        }
        if (!entry.at().isAfter(to)) {
          numbers.add(entry.sequence());
        }
      }
    } while (page.size() == PAGE);
    return numbers;
  }
}
