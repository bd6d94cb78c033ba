package dev.vigil.gateway.automations.runs;

import dev.vigil.gateway.automations.rules.ActionKind;
import org.jspecify.annotations.Nullable;

/**
 * The result of one action of a run.
 *
 * @param target resource, webhook or topic
 * @param ep endpoint of a command; null without one
 * @param command number of the command; null without one
 * @param text reason of a failure; null without one
 */
public record ActionResult(
    ActionKind kind,
    String target,
    ActionOutcome outcome,
    @Nullable String ep,
    @Nullable Long command,
    @Nullable String text) {
  public ActionResult with(ActionOutcome newOutcome, @Nullable Long number, @Nullable String why) {
    return new ActionResult(kind, target, newOutcome, ep, number, why);
  }
}
