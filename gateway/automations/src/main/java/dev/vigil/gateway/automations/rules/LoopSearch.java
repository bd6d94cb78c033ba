package dev.vigil.gateway.automations.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Searches for loops: an automation commands a resource that is read by a condition of another
 * automation, or of its own, and so on back to the first. Disabled automations count, because they
 * can be enabled.
 */
public final class LoopSearch {
  private final Map<String, Automation> all;

  public LoopSearch(Map<String, Automation> all) {
    this.all = new TreeMap<>(all);
  }

  /** A step from an automation to a resource that it commands and that the next one reads. */
  public record Step(String automation, String ep, String path) {}

  /** The steps of a loop through an automation, beginning with it; empty without a loop. */
  public List<Step> through(String id) {
    Map<String, Step> cameFrom = new LinkedHashMap<>();
    List<String> open = new ArrayList<>(List.of(id));
    while (!open.isEmpty()) {
      String from = open.removeFirst();
      for (Map.Entry<String, Step> next : successors(from).entrySet()) {
        if (cameFrom.putIfAbsent(next.getKey(), next.getValue()) == null) {
          open.add(next.getKey());
        }
      }
    }
    return path(id, cameFrom);
  }

  private static List<Step> path(String id, Map<String, Step> cameFrom) {
    List<Step> steps = new ArrayList<>();
    @Nullable Step step = cameFrom.get(id);
    while (step != null) {
      steps.addFirst(step);
      step = step.automation().equals(id) ? null : cameFrom.get(step.automation());
    }
    return steps;
  }

  private Map<String, Step> successors(String id) {
    Map<String, Step> next = new TreeMap<>();
    Automation one = all.get(id);
    for (AutomationAction action : one == null ? List.<AutomationAction>of() : one.actions()) {
      if (action.kind() == ActionKind.COMMAND && one != null) {
        all.forEach(
            (other, automation) -> {
              if (automation.d().equals(one.d()) && reads(automation, action)) {
                next.putIfAbsent(
                    other,
                    new Step(
                        id,
                        Objects.requireNonNullElse(action.ep(), ""),
                        Objects.requireNonNullElse(action.path(), "")));
              }
            });
      }
    }
    return next;
  }

  private static boolean reads(Automation automation, AutomationAction command) {
    return automation.conditions().stream()
        .anyMatch(one -> one.ep().equals(command.ep()) && one.path().equals(command.path()));
  }

  /** A loop in words. */
  public static String words(List<Step> loop) {
    StringBuilder words = new StringBuilder();
    for (Step step : loop) {
      words.append("%s commands %s of %s, ".formatted(step.automation(), step.path(), step.ep()));
    }
    return words + "which starts " + loop.getFirst().automation() + " again";
  }
}
