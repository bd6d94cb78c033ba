package dev.vigil.gateway.automations.evaluation;

import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.rules.AutomationCondition;
import dev.vigil.gateway.automations.rules.AutomationSchedule;
import dev.vigil.gateway.automations.rules.Match;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides when one automation acts. Used by one thread; times must not fall.
 *
 * <p>States: it does not hold; it holds and waits for its hold time or cooldown; it has acted,
 * until it does not hold any more; it is suspended, until it is saved again.
 */
public final class AutomationEvaluator {
  private static final long MILLIS = 1000;
  private static final long MINUTE = 60 * MILLIS;
  private static final long HOUR = 60 * MINUTE;

  private final Automation automation;
  private final List<ConditionTracker> conditions;
  private @Nullable Long since;
  private boolean acted;
  private List<Long> runs;
  private @Nullable Long suspendedAt;
  private long next = Long.MAX_VALUE;

  public AutomationEvaluator(Automation automation, EvaluatorMemory memory) {
    this.automation = automation;
    List<Boolean> held = memory.held();
    this.conditions =
        IntStream.range(0, automation.conditions().size())
            .mapToObj(
                i ->
                    new ConditionTracker(
                        automation.conditions().get(i), i < held.size() && held.get(i)))
            .toList();
    this.since = memory.since();
    this.acted = memory.acted();
    this.runs = memory.runs();
    this.suspendedAt = memory.suspendedAt();
  }

  public EvaluatorMemory memory() {
    return new EvaluatorMemory(
        conditions.stream().map(one -> one.held() && one.condition().hysteresis() > 0).toList(),
        since,
        acted,
        runs,
        suspendedAt);
  }

  /** Gives a condition a reading. The decision follows with {@link #at}. */
  public void add(int condition, NumberReading reading) {
    conditions.get(condition).add(reading);
  }

  /** Whether the endpoint of a condition exists and is trusted. */
  public void usable(int condition, boolean usable) {
    conditions.get(condition).usable(usable);
  }

  /**
   * Replaces times after now by now: the clock was set back. The limit of runs within an hour
   * begins again, the cooldown is kept.
   */
  public void setBack(long now) {
    since = earlier(since, now);
    suspendedAt = earlier(suspendedAt, now);
    if (!runs.isEmpty() && runs.getLast() > now) {
      List<Long> kept = new ArrayList<>(runs.stream().filter(run -> run <= now).toList());
      kept.add(now);
      runs = List.copyOf(kept);
    }
  }

  private static @Nullable Long earlier(@Nullable Long time, long now) {
    return time == null ? null : Math.min(time, now);
  }

  /** Begins without acting: if everything holds already, it acts only after it did not hold. */
  public void begin(long now) {
    boolean holds = holds(now);
    since = holds ? now : null;
    acted = holds;
    next = next(now, Long.MAX_VALUE);
  }

  /**
   * Decides at each time up to now at which something was due.
   *
   * @param now unix time in milliseconds
   */
  public void until(long now, Consumer<Firing> firings) {
    while (next < now) {
      at(next, firings);
    }
  }

  /** Decides now. */
  public void at(long now, Consumer<Firing> firings) {
    boolean holds = holds(now);
    long due = Long.MAX_VALUE;
    if (!holds) {
      since = null;
      acted = false;
    } else {
      long from = since == null ? now : since;
      since = from;
      if (!acted && suspendedAt == null) {
        due = due(from);
        if (due <= now) {
          fire(now, firings);
          due = Long.MAX_VALUE;
        }
      }
    }
    next = next(now, due);
  }

  private long due(long from) {
    long held = from + MILLIS * automation.holdSeconds();
    return runs.isEmpty()
        ? held
        : Math.max(held, runs.getLast() + MILLIS * automation.cooldownSeconds());
  }

  private void fire(long now, Consumer<Firing> firings) {
    List<Long> recent = new ArrayList<>(runs.stream().filter(run -> run > now - HOUR).toList());
    boolean tooOften = recent.size() >= automation.maxRunsPerHour();
    if (tooOften) {
      suspendedAt = now;
    } else {
      recent.add(now);
      runs = List.copyOf(recent);
      acted = true;
    }
    firings.accept(new Firing(now, tooOften, causes(now)));
  }

  /** The conditions as they are now. */
  public List<Firing.Cause> causes(long now) {
    return conditions.stream()
        .map(one -> new Firing.Cause(one.condition(), one.held(), one.number(now), one.unit()))
        .toList();
  }

  private boolean holds(long now) {
    boolean all = true;
    boolean any = false;
    for (ConditionTracker condition : conditions) {
      // Each is decided, because the hysteresis depends on it.
      boolean holds = condition.holds(now);
      all &= holds;
      any |= holds;
    }
    AutomationSchedule schedule = automation.schedule();
    boolean met = automation.match() == Match.ALL || conditions.isEmpty() ? all : any;
    return met && (schedule == null || schedule.includes(Instant.ofEpochMilli(now)));
  }

  private long next(long now, long due) {
    long earliest = due;
    for (ConditionTracker condition : conditions) {
      earliest = Math.min(earliest, condition.next(now));
    }
    // Schedules begin and end with a minute.
    return automation.schedule() == null
        ? earliest
        : Math.min(earliest, Math.floorDiv(now, MINUTE) * MINUTE + MINUTE);
  }

  /** The next time at which {@link #at} must be called; {@link Long#MAX_VALUE}: none. */
  public long next() {
    return next;
  }

  /** The conditions that read a resource, by their position. */
  public List<Integer> readers(String ep, String path) {
    List<AutomationCondition> all = automation.conditions();
    return IntStream.range(0, all.size())
        .filter(i -> all.get(i).ep().equals(ep) && all.get(i).path().equals(path))
        .boxed()
        .toList();
  }

  /** Unix time in milliseconds from which everything has held; null: it does not hold. */
  public @Nullable Long since() {
    return since;
  }

  public boolean hasActed() {
    return acted;
  }
}
