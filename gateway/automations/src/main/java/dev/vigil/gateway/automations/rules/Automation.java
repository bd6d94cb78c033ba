package dev.vigil.gateway.automations.rules;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored automation; its id was chosen by the operator who made it. All of its endpoints are in
 * one domain, so that the operators of this domain decide about it alone.
 *
 * @param name for people
 * @param d domain of its endpoints
 * @param conditions 0 to 8
 * @param schedule null: at any time
 * @param holdSeconds how long conditions and schedule must hold
 * @param cooldownSeconds least time between two runs
 * @param maxRunsPerHour after which it is suspended
 * @param by the account with whose present rights it acts
 * @param byMade the time at which that account was made; a later account of the same name is
 *     another one. Null for the operator's token and in records of older versions
 */
public record Automation(
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
    String by,
    @Nullable Instant byMade,
    Instant savedAt) {
  public Automation {
    conditions = List.copyOf(conditions);
    actions = List.copyOf(actions);
  }
}
