package dev.vigil.gateway.alarms.conditions;

import java.util.Set;
import java.util.function.Supplier;

/** One evaluation of one rule: its scope and limits, and where its kind reports conditions. */
public interface Evaluation {
  RuleScope scope();

  RuleLimits limits();

  /** The subjects of the rule's open alarms that belong to the present owner. */
  Set<Subject> open();

  boolean isOpen(Subject subject);

  /** Requests an evaluation at that time, unix time in milliseconds, or earlier. */
  void at(long millis);

  /**
   * Reports whether a condition holds now. An open alarm that is not reported at all is cleared.
   *
   * @param text what happened
   */
  void report(Subject subject, boolean holds, Supplier<AlarmText> text);

  /** Reports whether a value is outside of the rule's limits. */
  default void reportValue(Subject subject, double value, Supplier<AlarmText> text) {
    report(subject, limits().isExceededBy(value, isOpen(subject)), text);
  }
}
