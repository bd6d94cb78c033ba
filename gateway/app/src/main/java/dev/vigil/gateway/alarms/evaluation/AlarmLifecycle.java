package dev.vigil.gateway.alarms.evaluation;

import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** The thread {@code alarms}, which evaluates the rules while the gateway runs. */
final class AlarmLifecycle implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(AlarmLifecycle.class);
  private static final long PERIOD_MILLIS = 250;

  private final AlarmEvaluator evaluator;
  private final RuleBook rules;
  private final Store store;
  private final MirrorQueries mirror;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("alarms").daemon().factory());
  private final List<Store.Subscription> following = new ArrayList<>();
  private volatile boolean running;

  AlarmLifecycle(AlarmEvaluator evaluator, RuleBook rules, Store store, MirrorQueries mirror) {
    this.evaluator = evaluator;
    this.rules = rules;
    this.store = store;
    this.mirror = mirror;
  }

  @Override
  public void start() {
    running = true;
    // The first evaluation of all endpoints sees every change before this position.
    following.add(store.changes(mirror.position(), evaluator::changed));
    following.add(rules.onChange(evaluator::rulesChanged));
    timer.scheduleWithFixedDelay(this::process, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void process() {
    try {
      evaluator.process();
    } catch (RuntimeException e) {
      log.error("evaluating the alarm rules failed; trying again", e);
    }
  }

  @Override
  public void stop() {
    running = false;
    following.forEach(Store.Subscription::close);
    timer.shutdownNow();
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
