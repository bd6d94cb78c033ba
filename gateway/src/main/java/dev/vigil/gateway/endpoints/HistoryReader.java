package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.api.PageCursor;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.ArchivedValue;
import dev.vigil.mirror.read.ValueMark;
import dev.vigil.signed.senml.ResolvedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads histories from the store, page by page. */
final class HistoryReader {
  private static final int PAGE = 500;
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;

  /** Updates that one request reads at most; {@code next} continues after them. */
  private static final int MAX_UPDATES = 50_000;

  private final MirrorQueries mirror;

  HistoryReader(MirrorQueries mirror) {
    this.mirror = mirror;
  }

  /**
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.00
   */
  HistoryJson read(String id, String path, HistoryQuery query) {
    double first = query.first();
    double end = query.end();
    Predicate<ResolvedRecord> wanted = m -> m.time() >= first && m.time() < end;
    long after = query.afterNumber();
    long seconds = query.bucketSeconds();
    if (seconds > 0) {
      TimeBuckets buckets = new TimeBuckets(seconds);
      Long next =
          scan(
              id,
              path,
              after,
              update -> {
                update.measurements().stream().filter(wanted).forEach(buckets::add);
                return true;
              });
      return new HistoryJson(null, buckets.toJson(), next);
    }
    int limit = PageCursor.limit(query.limit() == null ? DEFAULT_LIMIT : query.limit(), MAX_LIMIT);
    List<HistoryJson.ValueJson> values = new ArrayList<>();
    int[] updates = {0};
    Long next =
        scan(
            id,
            path,
            after,
            update -> {
              List<ResolvedRecord> found = update.measurements().stream().filter(wanted).toList();
              if (!found.isEmpty() && ++updates[0] > limit) {
                return false;
              }
              found.forEach(m -> values.add(HistoryJson.ValueJson.of(update, m)));
              return true;
            });
    return new HistoryJson(values, null, next);
  }

  /**
   * @param reader returns whether it accepted the update; the first refusal ends the scan
   * @return the sequence number of the last accepted update if there are more, else null
   */
  private @Nullable Long scan(String id, String path, long after, Predicate<ArchivedValue> reader) {
    long last = after;
    for (int read = 0; read < MAX_UPDATES; read += PAGE) {
      List<ArchivedValue> page = mirror.archivedValues(id, path, last, PAGE);
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
