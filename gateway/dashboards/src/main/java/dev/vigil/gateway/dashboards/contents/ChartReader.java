package dev.vigil.gateway.dashboards.contents;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.dashboards.contents.ContentJson.PointJson;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.AggregatedNumbers;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.store.EndpointName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** Reads the numbers of a resource over time from the aggregates. */
@Component
class ChartReader {
  /** The cost of an aggregate beyond the fixed cost of a value. */
  private static final long AGGREGATE_OCTETS = 64;

  /** Aggregates of one resource; several names of a year of days are fewer. */
  private static final int MAX_AGGREGATES = 10_000;

  private final MirrorQueries mirror;
  private final AggregatedNumbers aggregates;
  private final ArchiveReadLimiter limiter;

  ChartReader(MirrorQueries mirror, AggregatedNumbers aggregates, ArchiveReadLimiter limiter) {
    this.mirror = mirror;
    this.aggregates = aggregates;
    this.limiter = limiter;
  }

  /** A measured name and its unit, which is empty without one. */
  record Measured(String name, String unit) implements Comparable<Measured> {
    @Override
    public int compareTo(Measured other) {
      int byName = name.compareTo(other.name);
      return byName != 0 ? byName : unit.compareTo(other.unit);
    }
  }

  /**
   * The points of each measured name; none if the key of the endpoint is revoked.
   *
   * @param from unix time in seconds
   * @param to exclusive
   * @param bucket seconds between two points, a multiple of the resolution
   */
  Map<Measured, List<PointJson>> read(
      Caller caller,
      EndpointView endpoint,
      String path,
      Resolution resolution,
      long from,
      long to,
      long bucket) {
    if (endpoint.state() == TrustState.REVOKED) {
      return Map.of();
    }
    EndpointName name = new EndpointName(endpoint.ep(), endpoint.d());
    List<AggregateStore.Entry> entries =
        limiter.page(
            caller,
            () -> aggregates.read(name, path, resolution, from, to, MAX_AGGREGATES),
            entry -> AGGREGATE_OCTETS);
    Map<Measured, TreeMap<Long, Aggregate>> sums = new TreeMap<>();
    for (AggregateStore.Entry entry : entries) {
      if (!mirror.isRevoked(entry.series().kid())) {
        sums.computeIfAbsent(
                new Measured(entry.series().name(), entry.series().unit()), any -> new TreeMap<>())
            .merge(
                Math.floorDiv(entry.start(), bucket) * bucket, entry.aggregate(), Aggregate::plus);
      }
    }
    Map<Measured, List<PointJson>> points = new TreeMap<>();
    sums.forEach(
        (measured, buckets) ->
            points.put(
                measured,
                buckets.entrySet().stream()
                    .map(one -> point(one.getKey(), one.getValue()))
                    .toList()));
    return points;
  }

  private static PointJson point(long start, Aggregate all) {
    return new PointJson(
        Instant.ofEpochSecond(start), all.sum() / all.count(), all.min(), all.max());
  }
}
