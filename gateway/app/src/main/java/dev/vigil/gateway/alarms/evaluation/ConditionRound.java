package dev.vigil.gateway.alarms.evaluation;

import dev.vigil.gateway.alarms.conditions.AlarmText;
import dev.vigil.gateway.alarms.conditions.Evaluation;
import dev.vigil.gateway.alarms.conditions.RuleLimits;
import dev.vigil.gateway.alarms.conditions.RuleScope;
import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.register.Alarm;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.AlarmRule;
import dev.vigil.gateway.alarms.rules.RuleBook;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns conditions into alarms. A condition raises its alarm when it has lasted long enough, and
 * clears it when it has been over long enough. An owner is an endpoint, named by its id, the
 * gateway itself, or a gateway of a cluster ({@link Subject#ownerOf}). An open alarm that its
 * owner's round does not report is cleared. Used by one thread.
 */
final class ConditionRound {
  /** Time after which an alarm that was not stored or exceeded a limit is tried again. */
  private static final long RETRY_MILLIS = 30_000;

  private final AlarmRegister register;
  private final Consumer<String> again;

  /** Time at which a condition last changed without having changed its alarm, by owner. */
  private final Map<String, Map<Alarm.Key, Long>> since = new HashMap<>();

  /** Conditions whose alarm is being stored; the store's thread removes them. */
  private final Set<Alarm.Key> raising = ConcurrentHashMap.newKeySet();

  private final Set<Alarm.Key> mentioned = new HashSet<>();
  private String owner = Subject.NO_ENDPOINT;

  /** The gateway of a cluster whose own state the round is about. */
  private @Nullable String gateway;

  private long now;
  private long next;

  /**
   * @param again requests another evaluation of an owner; called by any thread
   */
  ConditionRound(AlarmRegister register, Consumer<String> again) {
    this.register = register;
    this.again = again;
  }

  /**
   * Begins the round of one owner.
   *
   * @param nowMillis unix time
   */
  void begin(String ofOwner, long nowMillis) {
    owner = ofOwner;
    gateway = Subject.gatewayOf(ofOwner).orElse(null);
    now = nowMillis;
    next = Long.MAX_VALUE;
    mentioned.clear();
  }

  /** Notes that the clock was set back: no condition can have changed later than now. */
  void setBack(long nowMillis) {
    since.values().forEach(keys -> keys.replaceAll((key, from) -> Math.min(from, nowMillis)));
  }

  private Subject placed(Subject subject) {
    return gateway == null ? subject : subject.at(gateway);
  }

  private Supplier<AlarmText> placed(Supplier<AlarmText> text) {
    String name = gateway;
    return name == null ? text : () -> text.get().at(name);
  }

  /** The evaluation of one rule in the present round. */
  Evaluation of(RuleBook.Entry entry) {
    return new Evaluation() {
      @Override
      public RuleScope scope() {
        return entry.rule().scope();
      }

      @Override
      public RuleLimits limits() {
        return entry.rule().limits();
      }

      @Override
      public Set<Subject> open() {
        return register.openOf(owner).stream()
            .filter(key -> key.rule().equals(entry.id()))
            .map(Alarm.Key::subject)
            .collect(Collectors.toSet());
      }

      @Override
      public boolean isOpen(Subject subject) {
        return ConditionRound.this.isOpen(new Alarm.Key(entry.id(), placed(subject)));
      }

      @Override
      public void at(long millis) {
        ConditionRound.this.at(millis);
      }

      @Override
      public void report(Subject subject, boolean holds, Supplier<AlarmText> text) {
        condition(new Alarm.Key(entry.id(), placed(subject)), entry.rule(), holds, placed(text));
      }
    };
  }

  private boolean isOpen(Alarm.Key key) {
    return register.open(key).isPresent();
  }

  private void at(long millis) {
    next = Math.min(next, millis);
  }

  /** Reports whether a condition holds now. */
  void condition(Alarm.Key key, AlarmRule rule, boolean holds, Supplier<AlarmText> text) {
    mentioned.add(key);
    if (holds == isOpen(key) || raising.contains(key)) {
      forget(key);
      return;
    }
    long wait = 1000 * (holds ? rule.holdSeconds() : rule.clearSeconds());
    long from = since.computeIfAbsent(owner, o -> new HashMap<>()).computeIfAbsent(key, k -> now);
    if (now < from + wait) {
      at(from + wait);
    } else if (holds) {
      forget(key);
      raise(key, rule, text.get());
    } else {
      forget(key);
      clear(key);
    }
  }

  private void forget(Alarm.Key key) {
    since.computeIfPresent(
        owner,
        (o, keys) -> {
          keys.remove(key);
          return keys.isEmpty() ? null : keys;
        });
  }

  private void clear(Alarm.Key key) {
    at(now + RETRY_MILLIS);
    register.clear(key);
  }

  private void raise(Alarm.Key key, AlarmRule rule, AlarmText text) {
    raising.add(key);
    String raised = owner;
    at(now + RETRY_MILLIS);
    register
        .raise(key, rule, text)
        .whenComplete(
            (open, thrown) -> {
              raising.remove(key);
              if (thrown == null && open) {
                // The condition may have ended while the alarm was being stored.
                again.accept(raised);
              }
            });
  }

  /**
   * Ends the round.
   *
   * @return when the owner must be evaluated again; {@link Long#MAX_VALUE}: not before it changes
   */
  long end() {
    for (Alarm.Key key : register.openOf(owner)) {
      if (!mentioned.contains(key)) {
        clear(key);
      }
    }
    since.computeIfPresent(
        owner,
        (o, keys) -> {
          keys.keySet().retainAll(mentioned);
          return keys.isEmpty() ? null : keys;
        });
    return next;
  }
}
