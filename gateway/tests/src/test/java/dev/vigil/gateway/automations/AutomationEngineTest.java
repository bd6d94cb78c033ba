package dev.vigil.gateway.automations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.gateway.automations.history.ReadingHistory;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.rules.AutomationSchedule;
import dev.vigil.gateway.automations.runs.AutomationRuns;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** An engine with a settable clock, instead of the gateway's own engine. */
@ExtendWith(OutputCaptureExtension.class)
class AutomationEngineTest extends AutomationGateway {
  private static final Duration HOUR = Duration.ofHours(1);

  private final SettableClock clock = new SettableClock();
  private AutomationEngine engine;
  private final List<Store.Subscription> following = new ArrayList<>();

  @BeforeEach
  void replaceEngine() {
    gateway.bean(AutomationLifecycle.class).end();
    clock.pass(Duration.between(clock.instant(), Instant.now()));
    begin(clock);
  }

  private void begin(Clock time) {
    MirrorQueries mirror = gateway.bean(MirrorQueries.class);
    Automations automations = gateway.bean(Automations.class);
    engine =
        new AutomationEngine(
            automations,
            gateway.bean(AutomationRuns.class),
            gateway.bean(ReadingHistory.class),
            mirror,
            gateway.bean(RunStarter.class),
            time);
    following.add(gateway.bean(Store.class).changes(mirror.position(), engine::changed));
    following.add(automations.onChange(engine::automationsChanged));
  }

  @AfterEach
  void stopFollowing() {
    following.forEach(Store.Subscription::close);
  }

  private void processUntil(String name, String state) {
    await()
        .atMost(LONG)
        .until(
            () -> {
              engine.process();
              return state(name).equals(state);
            });
  }

  @Test
  void aClockThatIsSetBackMakesNoReadingOld() {
    String late = "{\"kind\":\"age\",\"ep\":\"mote\",\"path\":\"temp\",\"seconds\":600}";
    save("late", body(late, command("fan", "1"), ",\"cooldownSeconds\":0"));
    engine.process();
    measure(2, 20);
    clock.pass(HOUR);
    processUntil("late", "acted");
    finished("late", 1);
    clock.pass(HOUR.negated());
    processUntil("late", "waiting");
    measure(3, 20);
    engine.process();
    assertThat(runs("late")).hasSize(1);
    clock.pass(Duration.ofMinutes(11));
    processUntil("late", "acted");
    finished("late", 2);
  }

  @Test
  void aReadingThatArrivesWhileTheEvaluationBeginsIsActedOnOnce() {
    save("fan", fan());
    stopFollowing();
    AtomicInteger read = new AtomicInteger();
    InstantSource time =
        () -> {
          Instant now = Instant.now();
          // The first time is that of the step, the second that of the beginning.
          if (read.incrementAndGet() == 2) {
            measure(2, 31);
          }
          return now;
        };
    begin(time.withZone(ZoneOffset.UTC));
    processUntil("fan", "acted");
    finished("fan", 1);
    stopFollowing();
    begin(Clock.systemUTC());
    engine.process();
    measure(3, 32);
    engine.process();
    assertThat(runs("fan")).hasSize(1);
  }

  @Test
  void anAutomationThatFailsStopsNoOther(CapturedOutput output) {
    save("fan", fan());
    Automations automations = gateway.bean(Automations.class);
    Automation of = automations.get("fan").orElseThrow().value();
    automations
        .put(
            "broken",
            new Automation(
                of.name(),
                of.d(),
                true,
                of.match(),
                of.conditions(),
                new AutomationSchedule(List.of("mon"), "00:00", "00:00", "Nowhere/Nowhere"),
                0,
                0,
                60,
                of.actions(),
                of.by(),
                of.byMade(),
                of.savedAt()),
            OptionalLong.empty(),
            "account:operator")
        .join();
    engine.process();
    measure(2, 31);
    processUntil("fan", "acted");
    finished("fan", 1);
    clock.pass(HOUR);
    measure(3, 20);
    processUntil("fan", "waiting");
    assertThat(output.getAll()).containsOnlyOnce("evaluating automation broken failed");
  }
}
