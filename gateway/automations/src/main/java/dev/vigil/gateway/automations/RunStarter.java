package dev.vigil.gateway.automations;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.automations.actions.ActionSender;
import dev.vigil.gateway.automations.evaluation.Firing;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.runs.ActionOutcome;
import dev.vigil.gateway.automations.runs.ActionResult;
import dev.vigil.gateway.automations.runs.AutomationRun;
import dev.vigil.gateway.automations.runs.AutomationRuns;
import dev.vigil.gateway.automations.runs.RunCause;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.Versioned;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Starts runs. A run is stored before its first action is sent: after a crash an action is missing
 * rather than repeated, and of two gateways that decide at once only one stores the run.
 */
@Component
final class RunStarter {
  private static final Logger log = LoggerFactory.getLogger(RunStarter.class);
  private static final Duration STORING = Duration.ofSeconds(60);

  private final AutomationRuns runs;
  private final AutomationRights rights;
  private final ActionSender sender;

  RunStarter(AutomationRuns runs, AutomationRights rights, ActionSender sender) {
    this.runs = runs;
    this.rights = rights;
    this.sender = sender;
  }

  /** Stores a run and sends its actions on another thread. */
  void start(Versioned<Automation> automation, long number, Firing firing) {
    List<RunCause> causes = RunCause.of(firing);
    AutomationRun run =
        new AutomationRun(
            automation.id(),
            number,
            Instant.ofEpochMilli(firing.at()),
            RunCause.words(causes),
            causes,
            automation.value().actions().stream().map(ActionSender::pending).toList());
    Thread.ofVirtual().name("automation-run").start(() -> run(automation, run));
  }

  private void run(Versioned<Automation> automation, AutomationRun run) {
    String id = automation.id();
    Automation value = automation.value();
    Optional<Caller> actor = rights.actor(id, value);
    String by = "account:" + value.by() + "/automation:" + id;
    AutomationRun begun = actor.isPresent() ? run : refused(run, value);
    String what =
        actor.isPresent()
            ? "ran automation %s (run %d): %s".formatted(id, run.number(), run.text())
            : "automation %s was not allowed to act (run %d)".formatted(id, run.number());
    Outcome stored = Outcome.await(runs.begin(begun, new Audit(by, what, value.d())), STORING);
    if (!(stored instanceof Outcome.Done)) {
      log.warn("automation {} did not act in run {}: the run was not stored", id, run.number());
      return;
    }
    if (actor.isEmpty()) {
      log.warn(
          "automation {} did not act: account {} does not exist or may not operate its domain",
          id,
          value.by());
      runs.finish(begun, Audit.UNRECORDED);
      return;
    }
    act(automation, run, actor.get(), by);
  }

  private static AutomationRun refused(AutomationRun run, Automation automation) {
    String reason =
        "the account %s does not exist or may not operate the domain".formatted(automation.by());
    return run.with(
        run.results().stream()
            .map(result -> result.with(ActionOutcome.FAILED, null, reason))
            .toList());
  }

  private void act(Versioned<Automation> automation, AutomationRun run, Caller actor, String by) {
    List<ActionResult> results = new ArrayList<>(run.results());
    Automation value = automation.value();
    try {
      for (int i = 0; i < value.actions().size(); i++) {
        results.set(i, result(automation, run, i, actor));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    List<ActionResult> failed =
        results.stream().filter(one -> one.outcome() == ActionOutcome.FAILED).toList();
    Audit audit = Audit.UNRECORDED;
    if (!failed.isEmpty()) {
      String what =
          "automation %s (run %d): %s failed: %s"
              .formatted(
                  automation.id(),
                  run.number(),
                  failed.getFirst().target(),
                  failed.getFirst().text());
      audit = new Audit(by, what, value.d());
      log.warn(
          "automation {}: {} of {} actions failed", automation.id(), failed.size(), results.size());
    }
    runs.finish(run.with(results), audit);
  }

  private ActionResult result(
      Versioned<Automation> automation, AutomationRun run, int action, Caller actor)
      throws InterruptedException {
    try {
      return sender.send(automation.value(), run, automation.value().actions().get(action), actor);
    } catch (RuntimeException e) {
      log.error("an action of automation {} failed unexpectedly", automation.id(), e);
      return run.results()
          .get(action)
          .with(ActionOutcome.FAILED, null, "internal error; see the gateway's log");
    }
  }
}
