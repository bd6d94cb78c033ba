package dev.vigil.gateway.automations.history;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.automations.evaluation.NumberReading;
import dev.vigil.gateway.automations.rules.AutomationCondition;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.AggregateSeries;
import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.AggregatedNumbers;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.EndpointName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Reads the gateway's own numbers of minutes or hours where the signed values are gone. */
@Component
public final class AggregateHistory {
  /** The cost of an aggregate beyond the fixed cost of a value. */
  private static final long AGGREGATE_OCTETS = 64;

  /** The minutes of a month are fewer. */
  private static final int MAX_AGGREGATES = 50_000;

  private static final long MILLIS = 1000;

  private final MirrorQueries mirror;
  private final AggregatedNumbers aggregates;
  private final ArchiveReadLimiter limiter;

  public AggregateHistory(
      MirrorQueries mirror, AggregatedNumbers aggregates, ArchiveReadLimiter limiter) {
    this.mirror = mirror;
    this.aggregates = aggregates;
    this.limiter = limiter;
  }

  /**
   * @param hours whether they are of hours instead of minutes
   */
  record Found(boolean hours, List<NumberReading> readings) {}

  /**
   * The last number of each minute or hour, oldest first.
   *
   * @param from unix time in milliseconds
   * @param end the time of the oldest signed value in seconds; an aggregate that has it is left out
   */
  Found before(Caller caller, String d, AutomationCondition condition, long from, double end) {
    List<NumberReading> minutes = read(caller, d, condition, Resolution.MINUTE, from, end);
    return minutes.isEmpty()
        ? new Found(true, read(caller, d, condition, Resolution.HOUR, from, end))
        : new Found(false, minutes);
  }

  private List<NumberReading> read(
      Caller caller,
      String d,
      AutomationCondition condition,
      Resolution resolution,
      long from,
      double end) {
    EndpointName name = new EndpointName(condition.ep(), d);
    long first = resolution.start(from / MILLIS - condition.rateSeconds()) - resolution.seconds();
    long last = Double.isInfinite(end) ? Long.MAX_VALUE : (long) end + 1;
    List<AggregateStore.Entry> entries =
        limiter.page(
            caller,
            () -> aggregates.read(name, condition.path(), resolution, first, last, MAX_AGGREGATES),
            entry -> AGGREGATE_OCTETS);
    Map<AggregateSeries, List<Aggregate>> series = new HashMap<>();
    for (AggregateStore.Entry entry : entries) {
      AggregateSeries one = entry.series();
      if (NumberReading.fits(condition, one.name(), one.unit())
          && !mirror.isRevoked(one.kid())
          && entry.aggregate().lastAt() < end) {
        series
            .computeIfAbsent(
                new AggregateSeries(name, condition.path(), one.name(), one.unit(), ""),
                any -> new ArrayList<>())
            .add(entry.aggregate());
      }
    }
    return readings(newest(series));
  }

  /**
   * Without a name in the condition several series may fit; the one with the newest number is read.
   */
  private static Map.Entry<String, List<Aggregate>> newest(
      Map<AggregateSeries, List<Aggregate>> all) {
    return all.entrySet().stream()
        .map(one -> Map.entry(one.getKey().unit(), one.getValue()))
        .max((one, other) -> Double.compare(lastAt(one.getValue()), lastAt(other.getValue())))
        .orElse(Map.entry("", List.of()));
  }

  private static double lastAt(List<Aggregate> aggregates) {
    return aggregates.getLast().lastAt();
  }

  private static List<NumberReading> readings(Map.Entry<String, List<Aggregate>> series) {
    List<NumberReading> readings = new ArrayList<>();
    List<Aggregate> all = series.getValue();
    for (int i = 0; i < all.size(); i++) {
      Aggregate one = all.get(i);
      // Numbers below those of signed values, which follow.
      long seq = (long) i - all.size();
      readings.add(
          new NumberReading(
              seq,
              Math.round(one.lastAt() * MILLIS),
              one.lastAt(),
              one.last(),
              series.getKey().isEmpty() ? null : series.getKey()));
    }
    return readings;
  }
}
