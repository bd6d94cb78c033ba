package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.PageCursor;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.history.ArchivedValue;
import dev.vigil.mirror.read.history.RecoveredRun;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.mirror.state.RecoveredReadings.Recovered;
import dev.vigil.signed.senml.ResolvedRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

  private final MirrorQueries mirror;
  private final ArchiveReadLimiter limiter;

  HistoryReader(MirrorQueries mirror, ArchiveReadLimiter limiter) {
    this.mirror = mirror;
    this.limiter = limiter;
  }

  /**
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.00; 4.29 or 5.03 when strangers read
   *     too much
   */
  HistoryJson read(Caller caller, String id, String path, HistoryQuery query) {
    limiter.requireAllowed(caller);
    Series series = new Series(caller, id, path, query.newestFirst());
    double first = query.first();
    double end = query.end();
    Predicate<ResolvedRecord> wanted = m -> m.time() >= first && m.time() < end;
    long after = query.afterNumber();
    RecoveredRun recovered = recovered(series, query.after(), wanted);
    long seconds = query.bucketSeconds();
    if (seconds > 0) {
      TimeBuckets buckets = new TimeBuckets(seconds);
      Long next =
          scan(
              series,
              after,
              update -> {
                recovered.until(update.arrived()).forEach(one -> add(buckets, one));
                update.measurements().stream()
                    .filter(wanted)
                    .forEach(measurement -> buckets.add(measurement, false));
                return true;
              });
      if (next == null) {
        recovered.rest().forEach(one -> add(buckets, one));
      }
      return new HistoryJson(null, buckets.toJson(), next);
    }
    int limit = PageCursor.limit(query.limit() == null ? DEFAULT_LIMIT : query.limit(), MAX_LIMIT);
    List<HistoryJson.ValueJson> values = new ArrayList<>();
    int[] updates = {0};
    Long next =
        scan(
            series,
            after,
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
    return new HistoryJson(values, null, next);
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
  private record Series(Caller caller, String id, String path, boolean newestFirst) {}

  /**
   * @param reader returns whether it accepted the update; the first refusal ends the scan
   * @return the sequence number of the last accepted update if there are more, else null
   */
  private @Nullable Long scan(Series series, long after, Predicate<ArchivedValue> reader) {
    long last = after;
    for (int read = 0; read < MAX_UPDATES; read += PAGE) {
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
