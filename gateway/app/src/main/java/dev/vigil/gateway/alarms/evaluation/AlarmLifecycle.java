package dev.vigil.gateway.alarms.evaluation;

import dev.vigil.gateway.cluster.Duty;
import dev.vigil.gateway.cluster.DutyThread;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread {@code alarms}, which evaluates the rules. One gateway of a cluster evaluates them.
 */
final class AlarmLifecycle implements Duty {
  private static final Logger log = LoggerFactory.getLogger(AlarmLifecycle.class);
  private static final Duration PERIOD = Duration.ofMillis(250);

  private final Supplier<AlarmEvaluator> evaluators;
  private final List<Function<AlarmEvaluator, Store.Subscription>> changes;
  private final Store store;
  private final MirrorQueries mirror;
  private final List<Store.Subscription> following = new ArrayList<>();
  private @Nullable DutyThread thread;

  /**
   * @param evaluators makes an evaluator, which knows nothing of former evaluations
   * @param changes notify an evaluator of changes of the gateway's own records
   */
  AlarmLifecycle(
      Supplier<AlarmEvaluator> evaluators,
      List<Function<AlarmEvaluator, Store.Subscription>> changes,
      Store store,
      MirrorQueries mirror) {
    this.evaluators = evaluators;
    this.changes = changes;
    this.store = store;
    this.mirror = mirror;
  }

  @Override
  public void begin() {
    AlarmEvaluator evaluator = evaluators.get();
    // The first evaluation of all endpoints sees every change before this position.
    following.add(store.changes(mirror.position(), evaluator::changed));
    changes.forEach(change -> following.add(change.apply(evaluator)));
    thread = DutyThread.start("alarms", PERIOD, () -> process(evaluator));
  }

  private static void process(AlarmEvaluator evaluator) {
    try {
      evaluator.process();
    } catch (RuntimeException e) {
      log.error("evaluating the alarm rules failed; trying again", e);
    }
  }

  @Override
  public void end() {
    following.forEach(Store.Subscription::close);
    following.clear();
    if (thread != null) {
      thread.end();
      thread = null;
    }
  }
}
