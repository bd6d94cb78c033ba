package dev.vigil.gateway.automations;

import dev.vigil.gateway.automations.evaluation.AutomationEvaluator;
import dev.vigil.gateway.automations.evaluation.EvaluatorMemory;
import dev.vigil.gateway.automations.evaluation.Firing;
import dev.vigil.gateway.automations.evaluation.NumberReading;
import dev.vigil.gateway.automations.history.ReadingHistory;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.rules.AutomationCondition;
import dev.vigil.gateway.automations.runs.AutomationState;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.store.EndpointName;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An enabled automation that is evaluated. Used by one thread. */
final class LiveAutomation {
  /** Readings that arrived earlier are not evaluated after a restart. */
  private static final long REPLAYED_MILLIS = 600_000;

  /** The maximum number of updates that are read for a condition when the evaluation begins. */
  private static final int MAX_UPDATES = 10_000;

  private final Versioned<Automation> automation;
  private final ReadingHistory history;
  private final MirrorQueries mirror;
  private final AutomationEvaluator evaluator;
  private final List<String> ids;
  private final Set<EndpointName> endpoints;
  private volatile @Nullable EvaluatorMemory stored;
  private long clock;
  private long number;

  private record Event(int condition, NumberReading reading) {}

  /**
   * @param state null: the automation is new or was changed
   * @param number of its last run
   */
  LiveAutomation(
      Versioned<Automation> automation,
      ReadingHistory history,
      MirrorQueries mirror,
      @Nullable AutomationState state,
      long number) {
    this.automation = automation;
    this.history = history;
    this.mirror = mirror;
    this.number = number;
    this.stored = state == null ? null : state.memory();
    this.evaluator =
        new AutomationEvaluator(
            automation.value(), state == null ? EvaluatorMemory.NONE : state.memory());
    String d = automation.value().d();
    this.ids = conditions().stream().map(one -> history.id(d, one.ep())).toList();
    this.endpoints =
        conditions().stream()
            .map(one -> new EndpointName(one.ep(), d))
            .collect(Collectors.toUnmodifiableSet());
  }

  private List<AutomationCondition> conditions() {
    return automation.value().conditions();
  }

  Versioned<Automation> automation() {
    return automation;
  }

  Set<EndpointName> endpoints() {
    return endpoints;
  }

  /**
   * Evaluates the stored readings since the automation was saved or last evaluated.
   *
   * @param state as above
   */
  void begin(@Nullable AutomationState state, Clock time, Consumer<Firing> firings) {
    long begun = time.millis();
    long since = state == null ? automation.value().savedAt().toEpochMilli() : state.storedAt();
    long base = Math.min(begun, Math.max(since, begun - REPLAYED_MILLIS));
    evaluator.setBack(begun);
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      int condition = i;
      history
          .since(ids.get(i), conditions().get(i), base, MAX_UPDATES, page -> page.get())
          .readings()
          .forEach(reading -> events.add(new Event(condition, reading)));
    }
    // The time after the last reading: a run that is dated before its cause would be repeated after
    // a restart.
    long now = Math.max(begun, time.millis());
    events.replaceAll(event -> new Event(event.condition, event.reading.arrivedBy(now)));
    events.sort(Comparator.comparingLong(event -> event.reading.arrived()));
    events.stream()
        .filter(event -> event.reading.arrived() <= base)
        .forEach(event -> evaluator.add(event.condition, event.reading));
    updateTrust();
    clock = base;
    if (state == null) {
      evaluator.begin(base);
    } else {
      evaluator.at(base, firings);
    }
    events.stream()
        .filter(event -> event.reading.arrived() > base)
        .forEach(event -> add(event.condition, event.reading, firings));
    advance(now, firings);
  }

  private void updateTrust() {
    for (int i = 0; i < ids.size(); i++) {
      evaluator.usable(
          i,
          mirror
              .standing(ids.get(i))
              .filter(standing -> standing.trust() == TrustState.TRUSTED)
              .isPresent());
    }
  }

  /** Whether the endpoint of a name is another one than at the beginning. */
  boolean isReplaced(EndpointName name, String id) {
    for (int i = 0; i < ids.size(); i++) {
      if (conditions().get(i).ep().equals(name.ep()) && !ids.get(i).equals(id)) {
        return true;
      }
    }
    return false;
  }

  /** Takes the records of an update. */
  void read(
      EndpointName name,
      String path,
      long seq,
      long arrived,
      List<ResolvedRecord> records,
      Consumer<Firing> firings) {
    updateTrust();
    for (int condition : evaluator.readers(name.ep(), path)) {
      NumberReading.of(conditions().get(condition), seq, arrived, records)
          .ifPresent(reading -> add(condition, reading, firings));
    }
  }

  private void add(int condition, NumberReading reading, Consumer<Firing> firings) {
    clock = Math.max(clock, reading.arrived());
    evaluator.until(clock, firings);
    evaluator.add(condition, reading);
    evaluator.at(clock, firings);
  }

  /** Evaluates it again, because the trust of an endpoint may have changed. */
  void touch(long now, Consumer<Firing> firings) {
    updateTrust();
    clock = Math.max(clock, now);
    evaluator.until(clock, firings);
    evaluator.at(clock, firings);
  }

  /** Evaluates what is due. */
  void advance(long now, Consumer<Firing> firings) {
    if (evaluator.next() <= now) {
      touch(now, firings);
    }
    clock = Math.max(clock, now);
  }

  /** The number of the next run. */
  long nextNumber() {
    return ++number;
  }

  /** The state if it must be stored; null if it has not changed. */
  @Nullable AutomationState changedState() {
    EvaluatorMemory memory = evaluator.memory();
    if (memory.equals(stored)) {
      return null;
    }
    stored = memory;
    return new AutomationState(automation.version(), memory, clock);
  }

  /** Lets the state be stored again; called on any thread. */
  void stateLost() {
    stored = null;
  }
}
