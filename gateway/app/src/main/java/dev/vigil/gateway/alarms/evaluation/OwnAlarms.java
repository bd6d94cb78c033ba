package dev.vigil.gateway.alarms.evaluation;

import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.store.Store;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The thread {@code own-alarms} of a gateway in a cluster, which evaluates what only this gateway
 * can see, such as its radios, disk, clock and contact with the cluster. Its alarms have an owner
 * of their own, so no other gateway writes them while this one is in the cluster.
 */
final class OwnAlarms implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(OwnAlarms.class);
  private static final long PERIOD_SECONDS = 5;

  private final String owner;
  private final GatewayConditions conditions;
  private final RuleBook rules;
  private final ConditionRound round;
  private final Clock clock;
  private @Nullable ScheduledExecutorService thread;
  private Store.@Nullable Subscription following;
  private volatile boolean rulesChanged = true;

  /**
   * @param gateway the name of this gateway; empty without a cluster, which needs no such thread
   */
  OwnAlarms(
      String gateway,
      GatewayConditions conditions,
      RuleBook rules,
      AlarmRegister register,
      Clock clock) {
    this.owner = gateway.isEmpty() ? "" : Subject.ownerOf(gateway);
    this.conditions = conditions;
    this.rules = rules;
    this.round = new ConditionRound(register, any -> {}); // The next round follows soon.
    this.clock = clock;
  }

  @Override
  public void start() {
    if (owner.isEmpty()) {
      return;
    }
    following = rules.onChange(() -> rulesChanged = true);
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("own-alarms").daemon().factory());
    thread = started;
    started.scheduleWithFixedDelay(
        this::evaluate, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  private void evaluate() {
    try {
      step();
    } catch (RuntimeException e) {
      log.error("evaluating the alarm rules of this gateway failed; trying again", e);
    }
  }

  void step() {
    if (rulesChanged) {
      rulesChanged = false;
      conditions.use(rules);
    }
    round.begin(owner, clock.millis());
    conditions.evaluate(round);
    round.end();
  }

  @Override
  public void stop() {
    if (following != null) {
      following.close();
      following = null;
    }
    if (thread != null) {
      thread.shutdownNow();
      thread = null;
    }
  }

  @Override
  public boolean isRunning() {
    return thread != null;
  }
}
