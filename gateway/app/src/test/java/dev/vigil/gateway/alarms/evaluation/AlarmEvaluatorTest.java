package dev.vigil.gateway.alarms.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.alarms.conditions.RuleLimits;
import dev.vigil.gateway.alarms.conditions.RuleScope;
import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.kinds.MissingEndpoint;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.AlarmRule;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.MirrorQueries;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlarmEvaluatorTest {
  private static final long HOLD_SECONDS = 60;

  @TempDir private Path folder = Path.of("");

  private MirrorInMemory mirror;
  private MirrorQueries queries;
  private AlarmRegister register;
  private RuleBook rules;
  private AlarmEvaluator evaluator;

  @BeforeEach
  void begin() {
    mirror = new MirrorInMemory(folder, Duration.ofMinutes(1));
    queries = mirror.mirror().queries();
    Records records = new Records(mirror.store(), mirror);
    Silences silences = new Silences(records, mirror);
    register = new AlarmRegister(records, silences, mirror, new Random(1));
    rules = new RuleBook(records);
    TaggedEndpoints tagged = new TaggedEndpoints(records, queries, mirror.store());
    DomainsWithWaitingKeys waiting = new DomainsWithWaitingKeys();
    evaluator =
        new AlarmEvaluator(
            new AlarmEvaluator.Conditions(
                rules,
                new EndpointConditions(queries, tagged, waiting, mirror.millis()),
                new GatewayConditions(IdleSources.with(waiting), kind -> true),
                name -> true),
            queries,
            register,
            silences,
            mirror,
            () -> 0);
  }

  private void use(String id, AlarmRule rule) {
    rules.put(id, rule, OptionalLong.empty(), "operator").join();
  }

  @Test
  void aClockThatIsSetBackDelaysAnAlarmByItsHoldTimeOnly() {
    use("hot", ConditionRoundTest.rule(HOLD_SECONDS, 0));
    SleepyEndpoint endpoint = new SleepyEndpoint("mote-1");
    String id = mirror.registered(endpoint, "</temp>");
    mirror.put(id, "temp", endpoint.update("temp", 2, 31));
    evaluator.process();
    mirror.forward(Duration.ofDays(-1));
    evaluator.process();
    mirror.forward(Duration.ofSeconds(HOLD_SECONDS - 1));
    evaluator.process();
    assertThat(register.openOf(id)).isEmpty();
    mirror.forward(Duration.ofSeconds(1));
    evaluator.process();
    assertThat(register.openOf(id)).extracting(key -> key.rule()).containsExactly("hot");
  }

  private void watchForMissing() {
    use(
        "gone",
        new AlarmRule(
            "gone",
            true,
            new MissingEndpoint(),
            Severity.WARNING,
            RuleScope.ALL,
            RuleLimits.NONE,
            0,
            0));
  }

  private String heard() {
    SleepyEndpoint endpoint = new SleepyEndpoint("mote-1");
    String id = mirror.registered(endpoint, "</temp>");
    mirror.put(id, "temp", endpoint.update("temp", 2, 20));
    evaluator.changed(id);
    return id;
  }

  private Duration missingAfter(String id) {
    return Duration.ofMillis(queries.presence(id).orElseThrow().missingAfter());
  }

  private void after(Duration time) {
    mirror.forward(time);
    evaluator.process();
  }

  private boolean isMissing(String id) {
    return register.openOf(id).stream().anyMatch(key -> key.rule().equals("gone"));
  }

  @Test
  void aClockThatIsSetBackDelaysNoMissingEndpoint() {
    watchForMissing();
    evaluator.process();
    after(Duration.ofDays(-1));
    String id = heard();
    evaluator.process();
    after(missingAfter(id));
    assertThat(isMissing(id)).isTrue();
  }

  @Test
  void anEndpointHeardAheadOfTheClockIsMissingInTime() {
    watchForMissing();
    after(Duration.ofDays(1));
    String id = heard();
    evaluator.process();
    after(Duration.ofDays(-1));
    after(missingAfter(id).minusSeconds(1));
    assertThat(isMissing(id)).isFalse();
    after(Duration.ofSeconds(1));
    assertThat(isMissing(id)).isTrue();
  }

  @Test
  void aMissingEndpointStaysMissingWhenTheClockIsSetBack() {
    watchForMissing();
    String id = heard();
    evaluator.process();
    after(missingAfter(id));
    assertThat(isMissing(id)).isTrue();
    after(Duration.ofDays(-1));
    assertThat(isMissing(id)).isTrue();
  }

  @Test
  void aMessageOfAClockThatDiffersALittleEndsTheSilence() {
    watchForMissing();
    SleepyEndpoint endpoint = new SleepyEndpoint("mote-1");
    String id = mirror.registered(endpoint, "</temp>");
    evaluator.process();
    after(missingAfter(id));
    assertThat(isMissing(id)).isTrue();
    mirror.forward(Duration.ofMillis(500));
    mirror.put(id, "temp", endpoint.update("temp", 2, 20));
    evaluator.changed(id);
    after(Duration.ofMillis(-500));
    assertThat(isMissing(id)).isFalse();
  }

  @Test
  void aClockThatIsOftenSetBackHidesNoMissingEndpoint() {
    watchForMissing();
    String id = heard();
    Duration half = missingAfter(id).dividedBy(2);
    for (int times = 0; times < 3; times++) {
      after(half);
      after(Duration.ofSeconds(-2));
    }
    assertThat(isMissing(id)).isTrue();
  }
}
