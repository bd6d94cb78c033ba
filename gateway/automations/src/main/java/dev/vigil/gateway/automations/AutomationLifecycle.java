package dev.vigil.gateway.automations;

import dev.vigil.gateway.automations.history.ReadingHistory;
import dev.vigil.gateway.automations.runs.AutomationRuns;
import dev.vigil.gateway.cluster.Duty;
import dev.vigil.gateway.cluster.DutyThread;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The thread {@code automations}. One gateway of a cluster evaluates them. */
@Component
final class AutomationLifecycle implements Duty {
  private static final Logger log = LoggerFactory.getLogger(AutomationLifecycle.class);
  private static final Duration PERIOD = Duration.ofMillis(250);

  private final Automations automations;
  private final AutomationRuns runs;
  private final ReadingHistory history;
  private final MirrorQueries mirror;
  private final RunStarter starter;
  private final Store store;
  private final Clock clock;
  private final List<Store.Subscription> following = new ArrayList<>();
  private @Nullable DutyThread thread;

  AutomationLifecycle(
      Automations automations,
      AutomationRuns runs,
      ReadingHistory history,
      MirrorQueries mirror,
      RunStarter starter,
      Store store,
      Clock clock) {
    this.automations = automations;
    this.runs = runs;
    this.history = history;
    this.mirror = mirror;
    this.starter = starter;
    this.store = store;
    this.clock = clock;
  }

  @Override
  public void begin() {
    runs.markInterrupted();
    AutomationEngine engine =
        new AutomationEngine(automations, runs, history, mirror, starter, clock);
    following.add(store.changes(mirror.position(), engine::changed));
    following.add(automations.onChange(engine::automationsChanged));
    thread = DutyThread.start("automations", PERIOD, () -> process(engine));
  }

  private static void process(AutomationEngine engine) {
    try {
      engine.process();
    } catch (RuntimeException e) {
      log.error("evaluating the automations failed; trying again", e);
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
