package dev.vigil.gateway.alarms.evaluation;

import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Change;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Evaluates the rules. The feed and the rules record which owners a change affects. {@link
 * #process} evaluates these owners and the owners that are due. Its cost depends on the number of
 * changes, not on the number of endpoints. Several changes of an endpoint between two calls are
 * evaluated once.
 */
final class AlarmEvaluator {
  private static final long SAMPLE_NANOS = 5_000_000_000L;

  /** A clock that goes back by less than this delays evaluations by at most this time. */
  private static final long SET_BACK_MILLIS = 1_000;

  private final Conditions conditions;
  private final MirrorQueries mirror;
  private final AlarmRegister register;
  private final Silences silences;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final ConditionRound round;
  private final TimerQueue timers = new TimerQueue();

  /** Owners to evaluate; guarded by itself. */
  private final Set<String> touched = new LinkedHashSet<>();

  private volatile boolean rulesChanged = true;
  private boolean sampled;
  private long lastSample;

  /** Unix time in milliseconds. */
  private long lastProcessed;

  /**
   * The rules and the state that they read.
   *
   * @param members whether a gateway is in the cluster, and raises and clears its own alarms
   */
  record Conditions(
      RuleBook rules,
      EndpointConditions endpoints,
      GatewayConditions gateway,
      Predicate<String> members) {}

  AlarmEvaluator(
      Conditions conditions,
      MirrorQueries mirror,
      AlarmRegister register,
      Silences silences,
      Clock clock,
      LongSupplier nanoTime) {
    this.conditions = conditions;
    this.mirror = mirror;
    this.register = register;
    this.silences = silences;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.round = new ConditionRound(register, this::touch);
  }

  /** Notes the endpoint of a change of the feed; called on the feed's thread. */
  void changed(Change change) {
    if (!change.endpoint().isReserved()) {
      touch(change.id());
    }
  }

  /** Notes an endpoint of which a record has changed; called on the feed's thread. */
  void changed(String id) {
    touch(id);
  }

  /** Requests that all rules are read again and all endpoints evaluated; called by any thread. */
  void rulesChanged() {
    rulesChanged = true;
  }

  private void touch(String owner) {
    synchronized (touched) {
      touched.add(owner);
    }
  }

  /** Evaluates what has changed or is due. Called by one thread, several times a second. */
  void process() {
    long now = clock.millis();
    if (lastProcessed - now >= SET_BACK_MILLIS) {
      timers.clear();
      round.setBack(now);
      conditions.endpoints.setBack(now);
      rulesChanged = true;
    }
    lastProcessed = now;
    if (rulesChanged) {
      rulesChanged = false;
      conditions.endpoints.use(conditions.rules);
      conditions.gateway.use(conditions.rules);
      mirror.registeredIds().forEach(this::touch);
      register.owners().forEach(this::touch);
    }
    boolean ofGateway = false;
    for (String owner : due(now)) {
      if (owner.equals(Subject.NO_ENDPOINT)) {
        ofGateway = true;
      } else if (Subject.gatewayOf(owner).isEmpty()) {
        round.begin(owner, now);
        conditions.endpoints.evaluate(owner, now, round);
        timers.at(owner, round.end());
      }
    }
    long nanos = nanoTime.getAsLong();
    if (ofGateway || !sampled || nanos - lastSample >= SAMPLE_NANOS) {
      sampled = true;
      lastSample = nanos;
      sample(now);
    }
  }

  private List<String> due(long now) {
    Set<String> due = new LinkedHashSet<>(timers.due(now));
    synchronized (touched) {
      due.addAll(touched);
      touched.clear();
    }
    return new ArrayList<>(due);
  }

  private void sample(long now) {
    round.begin(Subject.NO_ENDPOINT, now);
    conditions.gateway.evaluate(round);
    timers.at(Subject.NO_ENDPOINT, round.end());
    register.owners().stream()
        .filter(owner -> Subject.gatewayOf(owner).filter(conditions.members.negate()).isPresent())
        .forEach(owner -> clear(owner, now));
    silences.removeEnded();
  }

  /** Clears the alarms about a gateway that has left the cluster. */
  private void clear(String owner, long now) {
    round.begin(owner, now);
    round.end();
  }
}
