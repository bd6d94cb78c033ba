package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.http.Cursor;
import dev.vigil.mirror.ArchivedValue;
import dev.vigil.mirror.Mark;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.mirror.senml.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads histories from the store, some updates at a time. */
final class Histories {
  private static final int AT_ONCE = 500;
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;

  /** What one request reads at the most; the rest is asked for with {@code after}. */
  private static final int MAX_UPDATES = 50_000;

  private final MirrorProxy mirror;

  Histories(MirrorProxy mirror) {
    this.mirror = mirror;
  }

  /**
   * @throws dev.vigil.directory.exchange.ExchangeException 4.00
   */
  HistoryJson read(String id, String path, HistoryQuery query) {
    double first = query.first();
    double end = query.end();
    Predicate<Measurement> wanted = m -> m.time() >= first && m.time() < end;
    long after = query.afterNumber();
    long seconds = query.bucketSeconds();
    if (seconds > 0) {
      Buckets buckets = new Buckets(seconds);
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
    int limit = Cursor.limit(query.limit() == null ? DEFAULT_LIMIT : query.limit(), MAX_LIMIT);
    List<HistoryJson.ValueJson> values = new ArrayList<>();
    int[] updates = {0};
    Long next =
        scan(
            id,
            path,
            after,
            update -> {
              List<Measurement> found = update.measurements().stream().filter(wanted).toList();
              if (!found.isEmpty() && ++updates[0] > limit) {
                return false;
              }
              found.forEach(m -> values.add(HistoryJson.ValueJson.of(update, m)));
              return true;
            });
    return new HistoryJson(values, null, next);
  }

  /**
   * @param reader returns whether it took the update; the first that it did not ends the scan
   * @return the number of the last update that was taken, when there are more; else null
   */
  private @Nullable Long scan(String id, String path, long after, Predicate<ArchivedValue> reader) {
    long last = after;
    for (int read = 0; read < MAX_UPDATES; read += AT_ONCE) {
      List<ArchivedValue> some = mirror.archived(id, path, last, AT_ONCE);
      for (ArchivedValue update : some) {
        if (!update.marks().contains(Mark.REVOKED) && !reader.test(update)) {
          return last;
        }
        last = update.seq();
      }
      if (some.size() < AT_ONCE) {
        return null;
      }
    }
    return last;
  }
}
