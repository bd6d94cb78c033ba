package dev.vigil.gateway.automations.evaluation;

import dev.vigil.gateway.automations.rules.AutomationCondition;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The readings that one condition needs, and whether it holds. */
final class ConditionTracker {
  /** Readings of a rate's time that are kept; those between them are left out. */
  private static final int KEPT = 256;

  private static final long MILLIS = 1000;

  private final AutomationCondition condition;

  /** Older readings for a rate, oldest first. Only the first may be older than the rate's time. */
  private final Deque<NumberReading> window = new ArrayDeque<>();

  private @Nullable NumberReading last;
  private boolean held;
  private boolean usable = true;

  ConditionTracker(AutomationCondition condition, boolean held) {
    this.condition = condition;
    this.held = held;
  }

  AutomationCondition condition() {
    return condition;
  }

  /** Whether its endpoint exists and is trusted; otherwise the condition does not hold. */
  void usable(boolean now) {
    usable = now;
  }

  /** Takes the next reading; one with a former number is ignored. */
  void add(NumberReading reading) {
    NumberReading before = last;
    if (before != null && reading.seq() <= before.seq()) {
      return;
    }
    last = reading;
    if (condition.perSeconds() == null) {
      return;
    }
    NumberReading kept = window.peekLast();
    double step = (double) condition.rateSeconds() / KEPT;
    if (kept == null || reading.measured() >= kept.measured() + step) {
      window.addLast(reading);
    }
    while (window.size() > 1 && isReference(second(), reading)) {
      window.removeFirst();
    }
  }

  private NumberReading second() {
    var all = window.iterator();
    all.next();
    return all.next();
  }

  private boolean isReference(NumberReading older, NumberReading newest) {
    return older.measured() <= newest.measured() - condition.rateSeconds();
  }

  /**
   * Decides whether it holds.
   *
   * @param now unix time in milliseconds
   */
  boolean holds(long now) {
    Double number = number(now);
    held =
        number != null
            && switch (condition.kind()) {
              case VALUE, RATE -> condition.isOutside(number, held);
              case AGE -> number >= condition.ageSeconds();
            };
    return held;
  }

  boolean held() {
    return held;
  }

  /** The number that is compared; null: unknown. */
  @Nullable Double number(long now) {
    NumberReading newest = last;
    if (newest == null || !usable) {
      return null;
    }
    return switch (condition.kind()) {
      case VALUE -> newest.number();
      case RATE -> rate(newest);
      case AGE -> (double) ((now - newest.arrived()) / MILLIS);
    };
  }

  private @Nullable Double rate(NumberReading newest) {
    NumberReading reference = window.peekFirst();
    if (reference == null || !isReference(reference, newest)) {
      return null;
    }
    double rate =
        (newest.number() - reference.number())
            / (newest.measured() - reference.measured())
            * condition.rateSeconds();
    return Double.isFinite(rate) ? rate : null;
  }

  @Nullable String unit() {
    NumberReading newest = last;
    return newest == null ? null : newest.unit();
  }

  /** The next time at which it can change without a reading; {@link Long#MAX_VALUE}: none. */
  long next(long now) {
    NumberReading newest = last;
    if (newest == null || condition.seconds() == null) {
      return Long.MAX_VALUE;
    }
    long due = newest.arrived() + MILLIS * condition.ageSeconds();
    return due > now ? due : Long.MAX_VALUE;
  }
}
