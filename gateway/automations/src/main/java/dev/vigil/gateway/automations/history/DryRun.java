package dev.vigil.gateway.automations.history;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.automations.evaluation.AutomationEvaluator;
import dev.vigil.gateway.automations.evaluation.EvaluatorMemory;
import dev.vigil.gateway.automations.evaluation.Firing;
import dev.vigil.gateway.automations.evaluation.NumberReading;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.rules.AutomationCondition;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Evaluates an automation with stored readings. Nothing is sent. */
@Component
public final class DryRun {
  /** The maximum number of updates that are read for each condition. */
  private static final int MAX_UPDATES = 50_000;

  private static final int MAX_SHOWN = 500;

  private final ReadingHistory history;
  private final AggregateHistory aggregates;
  private final ArchiveReadLimiter limiter;

  public DryRun(ReadingHistory history, AggregateHistory aggregates, ArchiveReadLimiter limiter) {
    this.history = history;
    this.aggregates = aggregates;
    this.limiter = limiter;
  }

  /** The readings of a condition. */
  public enum Source {
    /** Signed values. */
    VALUES,
    /** Signed values, and before the first of them the last number of each minute. */
    MINUTES,
    /** Signed values, and before the first of them the last number of each hour. */
    HOURS,
    NONE
  }

  /**
   * The readings of a condition.
   *
   * @param first unix time in milliseconds of the oldest; null without one
   * @param complete false: there were too many, and older ones are missing
   */
  public record Read(
      AutomationCondition condition, Source source, @Nullable Long first, boolean complete) {}

  /**
   * @param firings the first 500
   * @param count of all runs
   */
  public record Result(List<Read> sources, List<Firing> firings, long count) {}

  private record Event(int condition, NumberReading reading) {}

  /**
   * @param from unix time in milliseconds
   * @param to likewise
   */
  public Result run(Caller caller, Automation automation, long from, long to) {
    List<Read> sources = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < automation.conditions().size(); i++) {
      int number = i;
      AutomationCondition condition = automation.conditions().get(i);
      List<NumberReading> readings = new ArrayList<>();
      sources.add(read(caller, automation.d(), condition, from, readings));
      readings.forEach(reading -> events.add(new Event(number, reading)));
    }
    events.sort(Comparator.comparingLong(event -> event.reading.arrived()));
    List<Firing> firings = new ArrayList<>();
    long count = evaluate(automation, events, from, to, firings);
    return new Result(sources, firings, count);
  }

  private static long evaluate(
      Automation automation, List<Event> events, long from, long to, List<Firing> firings) {
    long[] count = {0};
    AutomationEvaluator evaluator = new AutomationEvaluator(automation, EvaluatorMemory.NONE);
    events.stream()
        .filter(event -> event.reading.arrived() <= from)
        .forEach(event -> evaluator.add(event.condition, event.reading));
    evaluator.begin(from);
    for (Event event : events) {
      long at = event.reading.arrived();
      if (at > from && at <= to) {
        evaluator.until(at, firing -> keep(firing, firings, count));
        evaluator.add(event.condition, event.reading);
        evaluator.at(at, firing -> keep(firing, firings, count));
      }
    }
    evaluator.until(to, firing -> keep(firing, firings, count));
    return count[0];
  }

  private static void keep(Firing firing, List<Firing> firings, long[] count) {
    if (!firing.suspended()) {
      count[0]++;
    }
    if (firings.size() < MAX_SHOWN) {
      firings.add(firing);
    }
  }

  private Read read(
      Caller caller,
      String d,
      AutomationCondition condition,
      long from,
      List<NumberReading> readings) {
    String id = history.id(d, condition.ep());
    ReadingHistory.Found found =
        history.since(
            id,
            condition,
            from,
            MAX_UPDATES,
            page -> limiter.page(caller, page, value -> value.signed().length));
    Source source = found.readings().isEmpty() ? Source.NONE : Source.VALUES;
    Long oldest = found.readings().isEmpty() ? null : found.readings().getFirst().arrived();
    if (found.complete() && (oldest == null || oldest > from)) {
      double measured =
          found.readings().isEmpty()
              ? Double.POSITIVE_INFINITY
              : found.readings().getFirst().measured();
      AggregateHistory.Found older = aggregates.before(caller, d, condition, from, measured);
      if (!older.readings().isEmpty()) {
        source = older.hours() ? Source.HOURS : Source.MINUTES;
        oldest = older.readings().getFirst().arrived();
        readings.addAll(older.readings());
      }
    }
    readings.addAll(found.readings());
    return new Read(condition, source, oldest, found.complete());
  }
}
