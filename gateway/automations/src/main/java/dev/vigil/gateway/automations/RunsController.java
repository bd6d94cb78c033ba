package dev.vigil.gateway.automations;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.api.LabelsOf.Label;
import dev.vigil.gateway.automations.evaluation.Firing;
import dev.vigil.gateway.automations.history.DryRun;
import dev.vigil.gateway.automations.history.ReadingHistory;
import dev.vigil.gateway.automations.rules.ActionKind;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.rules.AutomationBodyJson;
import dev.vigil.gateway.automations.rules.Members;
import dev.vigil.gateway.automations.runs.ActionOutcome;
import dev.vigil.gateway.automations.runs.ActionResult;
import dev.vigil.gateway.automations.runs.AutomationRun;
import dev.vigil.gateway.automations.runs.AutomationRuns;
import dev.vigil.gateway.automations.runs.RunCause;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.CommandView;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows what automations did, and what one would have done. */
@RestController
class RunsController {
  private static final int DEFAULT_DAYS = 7;
  private static final int MAX_DAYS = 31;

  private final AutomationRights rights;
  private final AutomationRuns runs;
  private final AutomationChecks checks;
  private final DryRun dryRun;
  private final ArchiveReadLimiter limiter;
  private final ReadingHistory history;
  private final MirrorQueries mirror;
  private final Clock clock;

  RunsController(
      AutomationRights rights,
      AutomationRuns runs,
      AutomationChecks checks,
      DryRun dryRun,
      ArchiveReadLimiter limiter,
      ReadingHistory history,
      MirrorQueries mirror,
      Clock clock) {
    this.rights = rights;
    this.runs = runs;
    this.checks = checks;
    this.dryRun = dryRun;
    this.limiter = limiter;
    this.history = history;
    this.mirror = mirror;
    this.clock = clock;
  }

  @Schema(name = "AutomationRuns")
  record RunsJson(List<RunJson> runs) {}

  /**
   * @param number counts the runs of the automation from 1
   * @param text the conditions that held, in words
   */
  @Schema(name = "AutomationRun")
  record RunJson(
      long number, Instant at, String text, List<RunCause> causes, List<ResultJson> results) {}

  /**
   * @param target resource, webhook or topic
   * @param outcome pending; done: the command was queued, or the receiver acknowledged; failed;
   *     unknown: the gateway stopped before it knew
   * @param command number of the command
   * @param commandState present state of the command; absent if the gateway no longer has it
   * @param text reason of a failure
   */
  @Schema(name = "AutomationResult")
  record ResultJson(
      ActionKind kind,
      String target,
      @LabelsOf(ActionOutcome.class) String outcome,
      @Nullable Long command,
      @LabelsOf(CommandView.State.class) @Nullable String commandState,
      @Nullable String text) {}

  @Operation(
      operationId = "listAutomationRuns",
      summary = "The last 20 runs of an automation, newest first, with the results of its actions")
  @GetMapping("/api/automations/{id}/runs")
  RunsJson runs(HttpServletRequest request, @PathVariable String id) {
    Versioned<Automation> automation = rights.seen(HttpCallers.of(request), id);
    return new RunsJson(
        runs.of(id).stream()
            .limit(AutomationRuns.KEPT)
            .map(run -> json(automation.value(), run))
            .toList());
  }

  private RunJson json(Automation automation, AutomationRun run) {
    return new RunJson(
        run.number(),
        run.at(),
        run.text(),
        run.causes(),
        run.results().stream().map(result -> json(automation, result)).toList());
  }

  private ResultJson json(Automation automation, ActionResult result) {
    Long number = result.command();
    String ep = result.ep();
    String commandState =
        number == null || ep == null
            ? null
            : mirror.commands(history.id(automation.d(), ep)).stream()
                .filter(command -> command.seq() == number)
                .findFirst()
                .map(command -> command.state().label())
                .orElse(null);
    return new ResultJson(
        result.kind(),
        result.target(),
        Label.of(result.outcome()),
        number,
        commandState,
        result.text());
  }

  /**
   * @param automation as in PUT
   * @param days of history, 1 to 31; absent: 7
   */
  @Schema(name = "DryRunBody")
  record DryRunBodyJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable AutomationBodyJson automation,
      @Nullable Integer days) {}

  /**
   * @param sources the readings that each condition used
   * @param runs the first 500
   * @param count of all runs
   * @param problem reason why the automation could not be saved; absent if it could
   */
  @Schema(name = "DryRun")
  record DryRunJson(
      Instant from,
      Instant to,
      List<SourceJson> sources,
      List<WouldRunJson> runs,
      long count,
      @Nullable String problem) {}

  /**
   * @param source values: signed values; minutes or hours: before the first signed value the last
   *     number of each minute or hour, which nobody signed; none: there are no readings
   * @param first time of the oldest reading; absent without one
   * @param complete false: there were more readings than a dry run reads, and older ones are
   *     missing
   */
  @Schema(name = "DryRunSource")
  record SourceJson(
      String ep,
      String path,
      @LabelsOf(DryRun.Source.class) String source,
      @Nullable Instant first,
      boolean complete) {}

  /**
   * @param suspended true: it would have been suspended at this time instead
   */
  @Schema(name = "DryRunTime")
  record WouldRunJson(Instant at, String text, boolean suspended, List<RunCause> causes) {}

  @Operation(
      operationId = "dryRunAutomation",
      summary = "What an automation would have done with the readings of the last days",
      description =
          "Nothing is sent or stored. The automation is evaluated as if it had been saved at the"
              + " beginning of that time.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = DryRunBodyJson.class))))
  @PostMapping(path = "/api/automations/dry-run", consumes = MediaType.APPLICATION_JSON_VALUE)
  DryRunJson dryRun(HttpServletRequest request) throws IOException {
    Caller caller = HttpCallers.of(request);
    rights.requireReader(caller);
    DryRunBodyJson body = JsonBodies.read(request, DryRunBodyJson.class);
    AutomationBodyJson given = JsonBodies.required(body.automation(), "automation");
    rights.requireOperator(caller, given.domain());
    Instant to = clock.instant();
    int days = body.days() == null ? DEFAULT_DAYS : body.days();
    Members.require(days >= 1 && days <= MAX_DAYS, "days", "takes 1 to " + MAX_DAYS);
    Instant from = to.minus(Duration.ofDays(days));
    String id = given.id() == null ? "" : given.id();
    Automation automation = given.automation(id, "", null, from);
    limiter.requireAllowed(caller);
    DryRun.Result result = dryRun.run(caller, automation, from.toEpochMilli(), to.toEpochMilli());
    return new DryRunJson(
        from,
        to,
        result.sources().stream().map(RunsController::json).toList(),
        result.firings().stream().map(RunsController::json).toList(),
        result.count(),
        checks.fault(id, automation).orElse(null));
  }

  private static SourceJson json(DryRun.Read read) {
    Long first = read.first();
    return new SourceJson(
        read.condition().ep(),
        read.condition().path(),
        Label.of(read.source()),
        first == null ? null : Instant.ofEpochMilli(first),
        read.complete());
  }

  private static WouldRunJson json(Firing firing) {
    List<RunCause> causes = RunCause.of(firing);
    return new WouldRunJson(
        Instant.ofEpochMilli(firing.at()), RunCause.words(causes), firing.suspended(), causes);
  }
}
