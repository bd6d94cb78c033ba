package dev.vigil.gateway.automations.runs;

import dev.vigil.gateway.automations.evaluation.EvaluatorMemory;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** The last runs of all automations, and their states. */
@Component
public final class AutomationRuns {
  /** The number of runs of an automation that are kept. */
  public static final int KEPT = 20;

  private static final int MAX_STATES = 400;
  private static final int MAX_RUNS = MAX_STATES * KEPT;

  private final RecordSet<AutomationRun> runs;
  private final RecordSet<AutomationState> states;

  public AutomationRuns(Records records) {
    this.runs = records.of("automation-run", AutomationRun.class, MAX_RUNS);
    this.states = records.of("automation-state", AutomationState.class, MAX_STATES);
  }

  private static String key(String automation, long number) {
    return "%s/%012d".formatted(automation, number);
  }

  /** The runs of an automation, newest first. */
  public List<AutomationRun> of(String automation) {
    return stored(automation).map(Versioned::value).toList();
  }

  /** The character after the separator of keys bounds the ids of one automation. */
  private Stream<Versioned<AutomationRun>> stored(String automation) {
    return runs.descending(automation + "0")
        .takeWhile(run -> run.id().startsWith(automation + "/"));
  }

  public Optional<AutomationRun> last(String automation) {
    return stored(automation).map(Versioned::value).findFirst();
  }

  /**
   * The state of a version of an automation, completed by the runs that were stored after it; empty
   * before the first.
   *
   * @param savedAt when this version was saved
   */
  public Optional<AutomationState> state(String automation, long version, Instant savedAt) {
    AutomationState stored =
        states
            .get(automation)
            .map(Versioned::value)
            .filter(state -> state.version() == version)
            .orElse(null);
    long since = stored == null ? savedAt.toEpochMilli() : stored.storedAt();
    List<Long> later =
        of(automation).reversed().stream()
            .map(run -> run.at().toEpochMilli())
            .filter(at -> at > since)
            .toList();
    return later.isEmpty()
        ? Optional.ofNullable(stored)
        : Optional.of(
            completed(version, stored == null ? EvaluatorMemory.NONE : stored.memory(), later));
  }

  /** Nothing before the last run is evaluated again. */
  private static AutomationState completed(long version, EvaluatorMemory memory, List<Long> later) {
    List<Long> times = new ArrayList<>(memory.runs());
    times.addAll(later);
    return new AutomationState(
        version,
        new EvaluatorMemory(memory.held(), memory.since(), true, times, memory.suspendedAt()),
        later.getLast());
  }

  public CompletableFuture<Outcome> store(String automation, AutomationState state, Audit audit) {
    return states.put(automation, state, OptionalLong.empty(), audit);
  }

  /** Stores a new run; {@link Outcome.Conflict}: another gateway has stored it. */
  public CompletableFuture<Outcome> begin(AutomationRun run, Audit audit) {
    return runs.put(key(run.automation(), run.number()), run, OptionalLong.of(0), audit);
  }

  /** Stores the results of a run, and removes runs that are too many. */
  public void finish(AutomationRun run, Audit audit) {
    var unused = runs.put(key(run.automation(), run.number()), run, OptionalLong.empty(), audit);
    stored(run.automation()).skip(KEPT).forEach(this::remove);
  }

  private void remove(Versioned<AutomationRun> run) {
    var unused = runs.remove(run.id(), OptionalLong.empty(), Audit.UNRECORDED);
  }

  /** Marks actions under way as unknown: the gateway that sent them has ended. */
  public void markInterrupted() {
    for (Versioned<AutomationRun> run : runs.all()) {
      if (run.value().isPending()) {
        List<ActionResult> results =
            run.value().results().stream().map(AutomationRuns::interrupted).toList();
        var unused =
            runs.put(
                run.id(),
                run.value().with(results),
                OptionalLong.of(run.version()),
                Audit.UNRECORDED);
      }
    }
  }

  private static ActionResult interrupted(ActionResult result) {
    return result.outcome() == ActionOutcome.PENDING
        ? result.with(
            ActionOutcome.UNKNOWN,
            result.command(),
            "the gateway stopped before the result was known; the action is not repeated")
        : result;
  }

  /** Removes what belongs to automations that are gone. */
  public void tidy(Predicate<String> exists) {
    for (Versioned<AutomationRun> run : runs.all()) {
      if (!exists.test(run.value().automation())) {
        remove(run);
      }
    }
    for (Versioned<AutomationState> state : states.all()) {
      if (!exists.test(state.id())) {
        var unused = states.remove(state.id(), OptionalLong.empty(), Audit.UNRECORDED);
      }
    }
  }

  /** The time of the last run; empty before the first. */
  public Optional<Instant> lastAt(String automation) {
    return last(automation).map(AutomationRun::at);
  }
}
