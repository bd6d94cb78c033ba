package dev.vigil.gateway.alarms.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.kinds.SignaturesDisagree;
import dev.vigil.gateway.alarms.register.Alarm;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.MemoryStore;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SignaturesDisagreeTest {
  private final SettableClock clock = new SettableClock();
  private final Records records = new Records(new MemoryStore(), clock);
  private final AlarmRegister register =
      new AlarmRegister(records, new Silences(records, clock), clock, new Random(1));
  private final ConditionRound round = new ConditionRound(register, owner -> {});
  private boolean disagreed;
  private final GatewayConditions conditions =
      new GatewayConditions(IdleSources.with((SignaturesDisagree.Source) () -> disagreed));

  private List<Alarm> sample() {
    conditions.use(new RuleBook(records));
    round.begin(Subject.NO_ENDPOINT, clock.millis());
    conditions.evaluate(round);
    round.end();
    return register.newestFirst(null).map(Versioned::value).toList();
  }

  @Test
  void twoVerdictsOnOneSignatureAreAWarning() {
    assertThat(sample()).isEmpty();
    disagreed = true;
    Alarm alarm = sample().getFirst();
    assertThat(alarm.kind()).isEqualTo(new SignaturesDisagree());
    assertThat(alarm.severity()).isEqualTo(Severity.WARNING);
    assertThat(alarm.subject()).isEqualTo(Subject.GATEWAY);
    assertThat(alarm.text()).startsWith("the batch verifier judged a signature differently");
  }
}
