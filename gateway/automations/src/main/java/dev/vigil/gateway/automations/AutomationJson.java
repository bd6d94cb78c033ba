package dev.vigil.gateway.automations;

import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.rules.AutomationAction;
import dev.vigil.gateway.automations.rules.AutomationCondition;
import dev.vigil.gateway.automations.rules.AutomationSchedule;
import dev.vigil.gateway.automations.rules.Match;
import dev.vigil.gateway.records.Versioned;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An automation in answers.
 *
 * @param d domain of its endpoints, "-" for the one without a name
 * @param schedule absent: at any time
 * @param holdSeconds how long conditions and schedule must hold
 * @param cooldownSeconds least time between two runs
 * @param maxRunsPerHour after which it is suspended
 */
@Schema(name = "Automation")
record AutomationJson(
    String id,
    String name,
    String d,
    boolean enabled,
    Match match,
    List<AutomationCondition> conditions,
    @Nullable AutomationSchedule schedule,
    long holdSeconds,
    long cooldownSeconds,
    int maxRunsPerHour,
    List<AutomationAction> actions,
    SavedJson saved,
    StatusJson status) {

  /**
   * @param by the account with whose present rights it acts
   */
  @Schema(name = "AutomationSaved")
  record SavedJson(String by, Instant at) {}

  /**
   * @param state off; waiting: its conditions do not hold; holding: they hold, and it waits for its
   *     hold time or cooldown; acted: it acts again only after they did not hold; suspended: it ran
   *     too often, until it is saved again; stopped: it cannot run
   * @param since the time from which its conditions have held, or at which it was suspended
   * @param lastRun absent before the first
   * @param problem reason why it cannot run; absent if it can
   */
  @Schema(name = "AutomationStatus")
  record StatusJson(
      @LabelsOf(State.class) String state,
      @Nullable Instant since,
      @Nullable Instant lastRun,
      @Nullable String problem) {}

  /** The state of an automation. */
  enum State {
    OFF,
    WAITING,
    HOLDING,
    ACTED,
    SUSPENDED,
    STOPPED
  }

  static AutomationJson of(Versioned<Automation> automation, StatusJson status) {
    Automation value = automation.value();
    return new AutomationJson(
        automation.id(),
        value.name(),
        DomainNames.label(value.d()),
        value.enabled(),
        value.match(),
        value.conditions(),
        value.schedule(),
        value.holdSeconds(),
        value.cooldownSeconds(),
        value.maxRunsPerHour(),
        value.actions(),
        new SavedJson(value.by(), value.savedAt()),
        status);
  }
}
