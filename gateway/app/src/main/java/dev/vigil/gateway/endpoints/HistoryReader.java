package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.api.PageCursor;
import dev.vigil.gateway.endpoints.HistoryJson.Source;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.AggregatedNumbers;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.history.ArchivedValue;
import dev.vigil.mirror.read.history.RecoveredRun;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.mirror.state.RecoveredReadings.Recovered;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.store.EndpointName;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads histories from the store, page by page. */
final class HistoryReader {
  private static final int PAGE = 500;
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;

  /** The maximum number of updates that one request reads; {@code next} continues after them. */
  private static final int MAX_UPDATES = 50_000;

  /** The cost of reading one recovered value. */
  private static final long RECOVERED_OCTETS = 128;

  /** Above this number of updates, buckets are computed from aggregates where that is possible. */
  private static final int MAX_UPDATES_OF_BUCKETS = 2_000;

  /** The maximum number of aggregates that one request reads. */
  private static final int MAX_AGGREGATES = 100_000;

  /** The cost of reading one aggregate. */
  private static final long AGGREGATE_OCTETS = 64;

  /** How far measurements may be dated ahead of their arrival, unless the domain permits more. */
  private static final Duration AHEAD = Duration.ofHours(1);

  private static final double MAX_SECONDS = 253_402_300_799.0;

  private final MirrorQueries mirror;
  private final AggregatedNumbers aggregates;
  private final ArchiveReadLimiter limiter;

  HistoryReader(MirrorQueries mirror, AggregatedNumbers aggregates, ArchiveReadLimiter limiter) {
    this.mirror = mirror;
    this.aggregates = aggregates;
    this.limiter = limiter;
  }

  /**
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.00; 4.29 or 5.03 when strangers read
   *     too much
   */
  HistoryJson read(Caller caller, EndpointView endpoint, String path, HistoryQuery query) {
    limiter.requireAllowed(caller);
    Series series =
        new Series(
            caller,
            endpoint.id(),
            new EndpointName(endpoint.ep(), endpoint.d()),
            path,
            query.newestFirst());
    Reach reach = reach(series);
    return query.bucketSeconds() > 0 ? buckets(series, reach, query) : values(series, reach, query);
  }

  /**
   * How far back a resource can be read.
   *
   * @param values the oldest measurement among the kept values; null without one
   * @param aggregates null without any
   */
  private record Reach(@Nullable Instant values, @Nullable Instant aggregates) {
    /** Whether the aggregates have all that the values have. */
    boolean isCovered() {
      return aggregates != null && (values == null || !aggregates.isAfter(values));
    }

    /**
     * Whether the aggregates have more than the values have.
     *
     * @param from unix time in seconds
     */
    boolean isExceeded(double from) {
      return aggregates != null
          && (values == null
              || aggregates.isBefore(values.truncatedTo(ChronoUnit.MINUTES))
                  && from < values.getEpochSecond());
    }
  }

  private Reach reach(Series series) {
    // Values at the beginning may be too old to be shown.
    Instant values = oldest(series, 1).or(() -> oldest(series, PAGE)).orElse(null);
    return new Reach(values, aggregates.since(series.endpoint(), series.path()).orElse(null));
  }

  /** The oldest measurement among the first values. */
  private Optional<Instant> oldest(Series series, int limit) {
    return limiter
        .page(
            series.caller(),
            () -> mirror.archivedValues(series.id(), series.path(), -1, limit),
            update -> update.signed().length)
        .stream()
        .flatMap(update -> update.measurements().stream())
        .map(measurement -> Instant.ofEpochMilli(Math.round(measurement.time() * 1000)))
        .min(Instant::compareTo);
  }

  /** Buckets from the kept values, or from aggregates where these reach further back. */
  private HistoryJson buckets(Series series, Reach reach, HistoryQuery query) {
    double first = query.first();
    double end = query.end();
    Resolution resolution = query.after() == null ? resolution(query.bucketSeconds()) : null;
    if (resolution != null && reach.isExceeded(first)) {
      return aggregated(series, reach, query, resolution);
    }
    Predicate<ResolvedRecord> wanted = m -> m.time() >= first && m.time() < end;
    RecoveredRun recovered = recovered(series, query.after(), wanted);
    TimeBuckets buckets = new TimeBuckets(query.bucketSeconds());
    boolean replaceable = resolution != null && reach.isCovered();
    Long next =
        scan(
            series,
            start(series, query),
            first,
            replaceable ? MAX_UPDATES_OF_BUCKETS : MAX_UPDATES,
            update -> {
              recovered.until(update.arrived()).forEach(one -> add(buckets, one));
              update.measurements().stream()
                  .filter(wanted)
                  .forEach(measurement -> buckets.add(measurement, false));
              return true;
            });
    if (next != null && resolution != null && replaceable) {
      return aggregated(series, reach, query, resolution);
    }
    if (next == null) {
      recovered.rest().forEach(one -> add(buckets, one));
    }
    return answer(Source.VALUES, reach, null, buckets, next);
  }

  /** The coarsest resolution of which a bucket is a multiple; null without one. */
  private static @Nullable Resolution resolution(long bucketSeconds) {
    return Arrays.stream(Resolution.values())
        .filter(one -> bucketSeconds % one.seconds() == 0)
        .max(Comparator.comparing(Resolution::seconds))
        .orElse(null);
  }

  private HistoryJson aggregated(
      Series series, Reach reach, HistoryQuery query, Resolution resolution) {
    long from = resolution.start((long) Math.max(0, query.first()));
    long to = (long) Math.min(Long.MAX_VALUE, Math.ceil(query.end()));
    List<AggregateStore.Entry> entries =
        limiter.page(
            series.caller(),
            () ->
                aggregates.read(
                    series.endpoint(), series.path(), resolution, from, to, MAX_AGGREGATES),
            entry -> AGGREGATE_OCTETS);
    if (entries.size() >= MAX_AGGREGATES) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER,
          "too many aggregates: ask for buckets of whole hours or days, or for a shorter time");
    }
    TimeBuckets buckets = new TimeBuckets(query.bucketSeconds());
    entries.stream().filter(entry -> !mirror.isRevoked(entry.series().kid())).forEach(buckets::add);
    return answer(Source.of(resolution), reach, null, buckets, null);
  }

  private static HistoryJson answer(
      Source source,
      Reach reach,
      @Nullable List<HistoryJson.ValueJson> values,
      @Nullable TimeBuckets buckets,
      @Nullable Long next) {
    return new HistoryJson(
        LabelsOf.Label.of(source),
        reach.values(),
        reach.aggregates(),
        values,
        buckets == null ? null : buckets.toJson(),
        next);
  }

  private HistoryJson values(Series series, Reach reach, HistoryQuery query) {
    double first = query.first();
    double end = query.end();
    Predicate<ResolvedRecord> wanted = m -> m.time() >= first && m.time() < end;
    RecoveredRun recovered = recovered(series, query.after(), wanted);
    int limit = PageCursor.limit(query.limit() == null ? DEFAULT_LIMIT : query.limit(), MAX_LIMIT);
    List<HistoryJson.ValueJson> values = new ArrayList<>();
    int[] updates = {0};
    Long next =
        scan(
            series,
            start(series, query),
            first,
            MAX_UPDATES,
            update -> {
              List<ResolvedRecord> found = update.measurements().stream().filter(wanted).toList();
              if (!found.isEmpty() && ++updates[0] > limit) {
                return false;
              }
              recovered
                  .until(update.arrived())
                  .forEach(one -> values.add(HistoryJson.ValueJson.of(one)));
              found.forEach(m -> values.add(HistoryJson.ValueJson.of(update, m)));
              return true;
            });
    if (next == null) {
      recovered.rest().forEach(one -> values.add(HistoryJson.ValueJson.of(one)));
    }
    return answer(Source.VALUES, reach, values, null, next);
  }

  private static void add(TimeBuckets buckets, Recovered one) {
    buckets.add(one.value().measurement(), true);
  }

  /**
   * The recovered readings beyond the update of that number, in the order of the series.
   *
   * @param after null: all
   */
  private RecoveredRun recovered(
      Series series, @Nullable Long after, Predicate<ResolvedRecord> wanted) {
    List<Recovered> all =
        limiter.page(
            series.caller(),
            () -> mirror.recoveredValues(series.id(), series.path()),
            one -> RECOVERED_OCTETS);
    Instant bound =
        after == null || after == 0 || all.isEmpty()
            ? null
            : mirror.arrival(series.id(), series.path(), after).orElse(null);
    List<Recovered> found =
        all.stream().filter(one -> wanted.test(one.value().measurement())).toList();
    return RecoveredRun.of(found, bound, series.newestFirst());
  }

  /** The updates of one resource, as a caller reads them. */
  private record Series(
      Caller caller, String id, EndpointName endpoint, String path, boolean newestFirst) {}

  /** The number after which the scan starts; updates that arrived too early are skipped. */
  private long start(Series series, HistoryQuery query) {
    double first = query.first();
    if (series.newestFirst() || query.after() != null || first <= 0) {
      return query.afterNumber();
    }
    Instant earliest =
        Instant.ofEpochSecond((long) Math.min(first, MAX_SECONDS)).minus(ahead(series));
    long skipped = mirror.lastArchivedBefore(series.id(), series.path(), earliest);
    return skipped == 0 ? query.afterNumber() : skipped;
  }

  private Duration ahead(Series series) {
    Domain domain = mirror.domains().get(series.endpoint().d());
    return domain == null || domain.maxClockSkew().compareTo(AHEAD) < 0
        ? AHEAD
        : domain.maxClockSkew();
  }

  /**
   * @param first earliest time of wanted measurements, unix time in seconds
   * @param max number of updates at which the scan ends
   * @param reader returns whether it accepted the update; the first refusal ends the scan
   * @return the sequence number of the last accepted update if there are more, else null
   */
  private @Nullable Long scan(
      Series series, long after, double first, int max, Predicate<ArchivedValue> reader) {
    double earliest = first - ahead(series).toSeconds();
    long last = after;
    for (int read = 0; read < max; read += PAGE) {
      long from = last;
      List<ArchivedValue> page =
          limiter.page(
              series.caller(),
              () ->
                  series.newestFirst()
                      ? mirror.archivedValuesBack(series.id(), series.path(), from, PAGE)
                      : mirror.archivedValues(series.id(), series.path(), from, PAGE),
              update -> update.signed().length);
      for (ArchivedValue update : page) {
        if (series.newestFirst() && update.arrived().getEpochSecond() < earliest) {
          return null;
        }
        if (!update.marks().contains(ValueMark.REVOKED) && !reader.test(update)) {
          return last;
        }
        last = update.seq();
      }
      if (page.size() < PAGE) {
        return null;
      }
    }
    return last;
  }
}
