package dev.vigil.gateway.aggregates;

import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.AggregateSeries;
import dev.vigil.gateway.store.AggregateStore.Additions;
import dev.vigil.gateway.store.AggregateStore.AggregatedResource;
import dev.vigil.gateway.store.AggregateStore.Entry;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.mirror.model.RecoveredValue;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The numbers of one part of the endpoints that were read from the feed and are not in the store's
 * aggregates yet. Not thread-safe.
 */
final class PendingNumbers {
  /** Greater numbers are left out, because their sum might exceed what a double can hold. */
  private static final double GREATEST = 1e300;

  /** How far a time of measurement may be ahead of its arrival, in seconds. */
  private static final double MAX_AHEAD = 86_400;

  private final Map<AggregateSeries, Map<Long, Aggregate>> minutes = new HashMap<>();
  private final Set<AggregatedResource> removed = new HashSet<>();
  private int size;

  /** The number of minutes of all series. */
  int size() {
    return size;
  }

  boolean hasRemovals() {
    return !removed.isEmpty();
  }

  boolean isEmpty() {
    return size == 0 && removed.isEmpty();
  }

  /** Adds the next change of the feed. */
  void add(Change change) {
    for (Fact fact : change.facts()) {
      if (fact.slot().startsWith(StoreSlots.VALUE)) {
        String path = fact.slot().substring(StoreSlots.VALUE.length());
        if (fact.isNone()) {
          remove(new AggregatedResource(change.endpoint(), path, null));
        } else {
          addSigned(change, path, fact.body());
        }
      } else if (fact.slot().startsWith(StoreSlots.RECOVERED)) {
        String path = fact.slot().substring(StoreSlots.RECOVERED.length());
        if (fact.isNone()) {
          remove(new AggregatedResource(change.endpoint(), path, AggregateSeries.RECOVERED));
        } else {
          ResolvedRecord measurement = RecoveredValue.read(fact.body()).measurement();
          add(change, path, AggregateSeries.RECOVERED, measurement);
        }
      }
    }
  }

  private void addSigned(Change change, String path, byte[] body) {
    long arrived = change.at().toEpochMilli();
    StoredValue.Contents value = new StoredValue(path, change.high(), arrived, body).contents();
    value
        .pack()
        .resolve(arrived / 1000.0)
        .forEach(measurement -> add(change, path, value.kid(), measurement));
  }

  private void add(Change change, String path, String kid, ResolvedRecord measurement) {
    double at = measurement.time();
    if (!(measurement.value() instanceof SenmlValue.Number(double number))
        || !(Math.abs(number) <= GREATEST)
        || !(at >= 0 && at <= change.at().getEpochSecond() + MAX_AHEAD)) {
      return;
    }
    String unit = Objects.requireNonNullElse(measurement.unit(), "");
    AggregateSeries series =
        new AggregateSeries(change.endpoint(), path, measurement.name(), unit, kid);
    Map<Long, Aggregate> ofSeries = minutes.computeIfAbsent(series, any -> new TreeMap<>());
    int before = ofSeries.size();
    ofSeries.merge(Resolution.MINUTE.start((long) at), Aggregate.of(number, at), Aggregate::plus);
    size += ofSeries.size() - before;
  }

  private void remove(AggregatedResource resource) {
    minutes
        .entrySet()
        .removeIf(
            one -> {
              boolean gone = isOf(one.getKey(), resource);
              size -= gone ? one.getValue().size() : 0;
              return gone;
            });
    removed.add(resource);
  }

  private static boolean isOf(AggregateSeries series, AggregatedResource resource) {
    return series.path().equals(resource.path())
        && series.endpoint().equals(resource.endpoint())
        && (resource.kid() == null || series.kid().equals(resource.kid()));
  }

  /** Whether the store's aggregates of a series no longer count. */
  boolean isRemoved(AggregateSeries series) {
    return removed.stream().anyMatch(resource -> isOf(series, resource));
  }

  /** Whether some of the store's aggregates of a resource no longer count. */
  boolean hasRemovals(EndpointName endpoint, String path) {
    return removed.stream()
        .anyMatch(one -> one.path().equals(path) && one.endpoint().equals(endpoint));
  }

  /** The pending aggregates of a resource, by rising start within each series. */
  List<Entry> of(EndpointName endpoint, String path, Resolution resolution, long from, long to) {
    List<Entry> found = new ArrayList<>();
    AggregatedResource resource = new AggregatedResource(endpoint, path, null);
    minutes.forEach(
        (series, ofSeries) -> {
          if (isOf(series, resource)) {
            Map<Long, Aggregate> together = new TreeMap<>();
            ofSeries.forEach(
                (start, aggregate) ->
                    together.merge(resolution.start(start), aggregate, Aggregate::plus));
            together.forEach(
                (start, aggregate) -> {
                  if (start >= from && start < to) {
                    found.add(new Entry(series, start, aggregate));
                  }
                });
          }
        });
    return found;
  }

  /**
   * Everything that is pending; valid until the next change is added.
   *
   * @param positions the positions of all parts once this is written
   */
  Additions additions(List<Long> positions) {
    return new Additions(positions, removed, minutes);
  }

  /** Forgets what the store has written. */
  void written() {
    minutes.clear();
    removed.clear();
    size = 0;
  }
}
