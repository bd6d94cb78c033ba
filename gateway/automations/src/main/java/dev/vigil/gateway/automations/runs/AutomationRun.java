package dev.vigil.gateway.automations.runs;

import java.time.Instant;
import java.util.List;

/**
 * A run of an automation. It is stored before its first action is sent, so that no restart repeats
 * an action.
 *
 * @param automation its id
 * @param number counts the runs of the automation from 1
 * @param text the conditions that held, in words
 */
public record AutomationRun(
    String automation,
    long number,
    Instant at,
    String text,
    List<RunCause> causes,
    List<ActionResult> results) {
  public AutomationRun {
    causes = List.copyOf(causes);
    results = List.copyOf(results);
  }

  public AutomationRun with(List<ActionResult> newResults) {
    return new AutomationRun(automation, number, at, text, causes, newResults);
  }

  /**
   * The id of the event of an action. Numbers come again for another automation of the same id, and
   * after a restoration; together with the time they do not.
   *
   * @param action its index
   */
  public String eventId(int action) {
    return "automation.%s.%d.%d.%d".formatted(automation, at.toEpochMilli(), number, action);
  }

  public boolean isPending() {
    return results.stream().anyMatch(one -> one.outcome() == ActionOutcome.PENDING);
  }
}
