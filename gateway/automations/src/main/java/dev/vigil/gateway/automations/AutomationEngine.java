package dev.vigil.gateway.automations;

import dev.vigil.gateway.automations.evaluation.Firing;
import dev.vigil.gateway.automations.history.ReadingHistory;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.runs.AutomationRun;
import dev.vigil.gateway.automations.runs.AutomationRuns;
import dev.vigil.gateway.automations.runs.AutomationState;
import dev.vigil.gateway.northbound.ValueFacts;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluates the enabled automations. The feed's thread queues the changes of the endpoints that
 * they read, each of which is evaluated in order. Everything else runs on the thread {@code
 * automations}.
 */
final class AutomationEngine {
  private static final Logger log = LoggerFactory.getLogger(AutomationEngine.class);

  /** After more waiting changes the stored readings are read instead. */
  private static final int MAX_WAITING = 20_000;

  /** The clock was set back if it falls by more; evaluators need times that do not fall. */
  private static final long SET_BACK_MILLIS = 5000;

  /** The pause between attempts to evaluate automations that failed. */
  private static final long RETRY_MILLIS = 60_000;

  private final Automations automations;
  private final AutomationRuns runs;
  private final ReadingHistory history;
  private final MirrorQueries mirror;
  private final RunStarter starter;
  private final Clock clock;

  private final BlockingQueue<Change> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
  private final Map<String, LiveAutomation> live = new HashMap<>();

  /** Ids of automations whose evaluation failed; they are not live. */
  private final Set<String> failing = new HashSet<>();

  /** The next attempt to evaluate them. */
  private long retryAt;

  /** The latest time since the automations were read. */
  private long latest;

  private volatile Set<EndpointName> watched = Set.of();
  private volatile boolean changed = true;

  /** Whether changes were lost; the stored readings are read again. */
  private volatile boolean overflowed;

  AutomationEngine(
      Automations automations,
      AutomationRuns runs,
      ReadingHistory history,
      MirrorQueries mirror,
      RunStarter starter,
      Clock clock) {
    this.automations = automations;
    this.runs = runs;
    this.history = history;
    this.mirror = mirror;
    this.starter = starter;
    this.clock = clock;
  }

  /** Queues a change; called on the feed's thread. */
  void changed(Change change) {
    if (watched.contains(change.endpoint()) && !waiting.offer(change)) {
      overflowed = true;
    }
  }

  /** Requests that the automations are read again; called by any thread. */
  void automationsChanged() {
    changed = true;
  }

  /** Evaluates what has changed or is due. Called by one thread, several times a second. */
  void process() {
    long begun = clock.millis();
    if (overflowed || begun < latest - SET_BACK_MILLIS) {
      overflowed = false;
      latest = begun;
      retryAt = begun;
      waiting.clear();
      live.clear();
      changed = true;
    }
    latest = Math.max(latest, begun);
    if (!failing.isEmpty() && begun >= retryAt) {
      retryAt = begun + RETRY_MILLIS;
      changed = true;
    }
    try {
      if (changed) {
        changed = false;
        load();
      }
      List<Change> changes = new ArrayList<>();
      waiting.drainTo(changes);
      changes.forEach(this::apply);
    } catch (RuntimeException e) {
      overflowed = true;
      throw e;
    }
    long now = clock.millis();
    for (LiveAutomation one : List.copyOf(live.values())) {
      attempt(
          one.automation(),
          () -> {
            one.advance(now, firing -> fire(one, firing));
            store(one);
          });
    }
  }

  /** Takes a step of an automation. Its failure does not stop the other automations. */
  private void attempt(Versioned<Automation> automation, Runnable step) {
    String id = automation.id();
    try {
      step.run();
    } catch (RuntimeException e) {
      live.remove(id);
      if (failing.add(id)) {
        log.error("evaluating automation {} failed; trying again every minute", id, e);
      }
    }
  }

  private void load() {
    Map<String, Versioned<Automation>> enabled = new HashMap<>();
    Set<String> known = new HashSet<>();
    Set<EndpointName> endpoints = new HashSet<>();
    for (Versioned<Automation> one : automations.all()) {
      known.add(one.id());
      if (one.value().enabled()) {
        enabled.put(one.id(), one);
        one.value()
            .conditions()
            .forEach(it -> endpoints.add(new EndpointName(it.ep(), one.value().d())));
      }
    }
    // Changes are queued before the stored readings are read, so that none is missed.
    watched = Set.copyOf(endpoints);
    live.entrySet()
        .removeIf(
            one -> {
              Versioned<Automation> now = enabled.get(one.getKey());
              return now == null || now.version() != one.getValue().automation().version();
            });
    enabled.forEach(
        (id, one) -> {
          if (!live.containsKey(id)) {
            attempt(one, () -> begin(one));
          }
        });
    failing.retainAll(enabled.keySet());
    runs.tidy(known::contains);
  }

  private void begin(Versioned<Automation> automation) {
    AutomationState state =
        runs.state(automation.id(), automation.version(), automation.value().savedAt())
            .orElse(null);
    long last = runs.last(automation.id()).map(AutomationRun::number).orElse(0L);
    LiveAutomation one = new LiveAutomation(automation, history, mirror, state, last);
    live.put(automation.id(), one);
    one.begin(state, clock, firing -> fire(one, firing));
    store(one);
    failing.remove(automation.id());
  }

  private void apply(Change change) {
    for (LiveAutomation one : List.copyOf(live.values())) {
      if (one.endpoints().contains(change.endpoint())) {
        attempt(one.automation(), () -> apply(one, change));
      }
    }
  }

  private void apply(LiveAutomation one, Change change) {
    if (one.isReplaced(change.endpoint(), change.id())) {
      store(one);
      begin(one.automation());
      return;
    }
    boolean values = false;
    for (Fact fact : change.facts()) {
      if (ValueFacts.isValue(fact)) {
        values = true;
        read(one, change, fact);
      }
    }
    if (!values) {
      one.touch(clock.millis(), firing -> fire(one, firing));
    }
  }

  private void read(LiveAutomation one, Change change, Fact fact) {
    StoredValue value = ValueFacts.value(change, fact);
    List<ResolvedRecord> records = value.pack().resolve(value.arrived() / 1000.0);
    one.read(
        change.endpoint(),
        value.path(),
        value.seq(),
        Math.min(value.arrived(), clock.millis()),
        records,
        firing -> fire(one, firing));
  }

  private void fire(LiveAutomation one, Firing firing) {
    if (!firing.suspended()) {
      starter.start(one.automation(), one.nextNumber(), firing);
    }
  }

  private void store(LiveAutomation one) {
    AutomationState state = one.changedState();
    if (state == null) {
      return;
    }
    String id = one.automation().id();
    Automation value = one.automation().value();
    Audit audit = Audit.UNRECORDED;
    Long suspendedAt = state.memory().suspendedAt();
    if (suspendedAt != null
        && runs.state(id, state.version(), value.savedAt())
            .filter(before -> before.memory().suspendedAt() != null)
            .isEmpty()) {
      log.warn(
          "suspended automation {}: it ran {} times within an hour; save it again to resume it",
          id,
          value.maxRunsPerHour());
      audit =
          new Audit(
              "gateway",
              "suspended automation %s: it ran %d times within an hour"
                  .formatted(id, value.maxRunsPerHour()),
              value.d());
    }
    var unused =
        runs.store(id, state, audit)
            .whenComplete(
                (outcome, thrown) -> {
                  if (!(outcome instanceof Outcome.Done)) {
                    one.stateLost();
                  }
                });
  }
}
