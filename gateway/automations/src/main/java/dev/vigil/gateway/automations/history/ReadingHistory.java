package dev.vigil.gateway.automations.history;

import dev.vigil.gateway.automations.evaluation.NumberReading;
import dev.vigil.gateway.automations.rules.AutomationCondition;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.history.ArchivedValue;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.util.LinkedList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** Reads the signed values of resources, newest first, until a condition needs no older one. */
@Component
public final class ReadingHistory {
  private static final int PAGE = 500;

  private final Store store;
  private final MirrorQueries mirror;

  public ReadingHistory(Store store, MirrorQueries mirror) {
    this.store = store;
    this.mirror = mirror;
  }

  /** The id of an endpoint; empty for an unknown one. */
  public String id(String d, String ep) {
    return store.endpoint(new EndpointName(ep, d)).map(Store.Endpoint::id).orElse("");
  }

  /** Reads a page, on the calling thread or when it is the caller's turn. */
  @FunctionalInterface
  public interface Pages {
    List<ArchivedValue> read(Supplier<List<ArchivedValue>> page);
  }

  /**
   * @param readings oldest first
   * @param complete false: there were more than the limit
   */
  public record Found(List<NumberReading> readings, boolean complete) {}

  /**
   * The readings since a time, and the older ones that a condition needs at that time.
   *
   * @param id of the endpoint
   * @param from unix time in milliseconds
   * @param limit maximum number of updates to read
   */
  public Found since(String id, AutomationCondition condition, long from, int limit, Pages pages) {
    List<NumberReading> found = new LinkedList<>();
    double needed = from / 1000.0 - (condition.perSeconds() == null ? 0 : condition.perSeconds());
    long before = Long.MAX_VALUE;
    for (int read = 0; read < limit; read += PAGE) {
      long next = before;
      List<ArchivedValue> page =
          pages.read(() -> mirror.archivedValuesBack(id, condition.path(), next, PAGE));
      for (ArchivedValue value : page) {
        before = value.seq();
        if (value.marks().contains(ValueMark.REVOKED)) {
          continue;
        }
        NumberReading reading =
            NumberReading.of(
                    condition, value.seq(), value.arrived().toEpochMilli(), value.measurements())
                .orElse(null);
        if (reading != null) {
          found.addFirst(reading);
          if (reading.arrived() <= from && reading.measured() <= needed) {
            return new Found(found, true);
          }
        }
      }
      if (page.size() < PAGE) {
        return new Found(found, true);
      }
    }
    return new Found(found, false);
  }
}
