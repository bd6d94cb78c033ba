package dev.vigil.gateway.automations;

import dev.vigil.gateway.api.LabelsOf.Label;
import dev.vigil.gateway.automations.AutomationJson.State;
import dev.vigil.gateway.automations.AutomationJson.StatusJson;
import dev.vigil.gateway.automations.evaluation.EvaluatorMemory;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.runs.AutomationRuns;
import dev.vigil.gateway.automations.runs.AutomationState;
import dev.vigil.gateway.openalarms.StoppedAutomations;
import dev.vigil.gateway.records.Versioned;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the state of automations. */
@Component
final class AutomationStatus implements StoppedAutomations {
  private final Automations automations;
  private final AutomationRuns runs;
  private final AutomationChecks checks;
  private final AutomationRights rights;

  AutomationStatus(
      Automations automations,
      AutomationRuns runs,
      AutomationChecks checks,
      AutomationRights rights) {
    this.automations = automations;
    this.runs = runs;
    this.checks = checks;
    this.rights = rights;
  }

  AutomationJson json(Versioned<Automation> automation) {
    return AutomationJson.of(automation, of(automation));
  }

  @Override
  public List<Stopped> stopped() {
    return automations.all().stream()
        .filter(this::isStopped)
        .map(one -> new Stopped(one.id(), one.value().d(), one.value().name()))
        .toList();
  }

  private boolean isStopped(Versioned<Automation> automation) {
    return switch (state(
        automation.value(), memory(automation), problem(automation).orElse(null))) {
      case SUSPENDED, STOPPED -> true;
      case OFF, WAITING, HOLDING, ACTED -> false;
    };
  }

  private EvaluatorMemory memory(Versioned<Automation> automation) {
    return runs.state(automation.id(), automation.version(), automation.value().savedAt())
        .map(AutomationState::memory)
        .orElse(EvaluatorMemory.NONE);
  }

  private StatusJson of(Versioned<Automation> automation) {
    EvaluatorMemory memory = memory(automation);
    String problem = problem(automation).orElse(null);
    State state = state(automation.value(), memory, problem);
    Long since = state == State.SUSPENDED ? memory.suspendedAt() : memory.since();
    return new StatusJson(
        Label.of(state),
        since == null || state == State.OFF ? null : Instant.ofEpochMilli(since),
        runs.lastAt(automation.id()).orElse(null),
        problem);
  }

  private Optional<String> problem(Versioned<Automation> automation) {
    String by = automation.value().by();
    return rights.actor(automation.id(), automation.value()).isEmpty()
        ? Optional.of("the account %s does not exist or may not operate the domain".formatted(by))
        : checks.fault(automation.id(), automation.value());
  }

  private static State state(
      Automation automation, EvaluatorMemory memory, @Nullable String problem) {
    if (!automation.enabled()) {
      return State.OFF;
    }
    if (memory.suspendedAt() != null) {
      return State.SUSPENDED;
    }
    if (problem != null) {
      return State.STOPPED;
    }
    if (memory.since() == null) {
      return State.WAITING;
    }
    return memory.acted() ? State.ACTED : State.HOLDING;
  }
}
