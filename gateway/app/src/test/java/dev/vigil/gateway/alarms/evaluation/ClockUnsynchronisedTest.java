package dev.vigil.gateway.alarms.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.kinds.ClockUnsynchronised;
import dev.vigil.gateway.alarms.register.Alarm;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.MemoryStore;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClockUnsynchronisedTest {
  private final SettableClock clock = new SettableClock();
  private final Records records = new Records(new MemoryStore(), clock);
  private final AlarmRegister register =
      new AlarmRegister(records, new Silences(records, clock), clock, new Random(1));
  private final ConditionRound round = new ConditionRound(register, owner -> {});
  private OptionalLong seconds = OptionalLong.empty();
  private final GatewayConditions conditions =
      new GatewayConditions(IdleSources.with((ClockUnsynchronised.Source) () -> seconds));

  private List<Alarm> sample(OptionalLong unsynchronised) {
    seconds = unsynchronised;
    conditions.use(new RuleBook(records));
    round.begin(Subject.NO_ENDPOINT, clock.millis());
    conditions.evaluate(round);
    round.end();
    return register
        .newestFirst(null)
        .map(Versioned::value)
        .filter(alarm -> !alarm.isCleared())
        .toList();
  }

  @Test
  void aClockThatIsNotSynchronisedForAnHourIsAWarningUntilItIs() {
    assertThat(sample(OptionalLong.empty())).isEmpty();
    assertThat(sample(OptionalLong.of(3600))).isEmpty();
    Alarm alarm = sample(OptionalLong.of(3605)).getFirst();
    assertThat(alarm.kind()).isEqualTo(new ClockUnsynchronised());
    assertThat(alarm.severity()).isEqualTo(Severity.WARNING);
    assertThat(alarm.subject()).isEqualTo(Subject.GATEWAY);
    assertThat(alarm.text())
        .isEqualTo("the clock has not been synchronised for 60 min: check the NTP service");
    assertThat(sample(OptionalLong.of(0))).isEmpty();
  }
}
