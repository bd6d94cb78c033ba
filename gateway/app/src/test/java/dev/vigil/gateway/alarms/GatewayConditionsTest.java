package dev.vigil.gateway.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GatewayConditionsTest {
  private final SettableClock clock = new SettableClock();
  private final Records records = new Records(new MemoryStore(), clock);
  private final AlarmRegister register =
      new AlarmRegister(records, new Silences(records, clock), clock, new Random(1));
  private final ConditionRound round = new ConditionRound(register, owner -> {});
  private final State state = new State();
  private final GatewayConditions conditions = conditions();

  /** A gateway without trouble, but for its destination. */
  private static final class State implements GatewayState {
    private boolean destinationFails;

    @Override
    public Map<String, Boolean> radios() {
      return Map.of();
    }

    @Override
    public Map<String, Boolean> destinations() {
      return Map.of("mqtt:home", destinationFails);
    }

    @Override
    public boolean storeFails() {
      return false;
    }

    @Override
    public int waitingBatches() {
      return 0;
    }

    @Override
    public OptionalDouble freePercent() {
      return OptionalDouble.empty();
    }

    @Override
    public OptionalDouble certificateDays() {
      return OptionalDouble.empty();
    }

    @Override
    public double clockJumpSeconds() {
      return 0;
    }
  }

  /** No rule of these asks the mirror. */
  @SuppressWarnings("NullAway")
  private GatewayConditions conditions() {
    GatewayConditions made =
        new GatewayConditions(
            state, new RejectionRates(null, clock::millis), new EndpointConditions(null, 0));
    made.use(new RuleBook(records));
    return made;
  }

  private void sample() {
    round.begin(ConditionRound.GATEWAY, clock.millis());
    conditions.evaluate(round);
    round.end();
  }

  private List<String> open() {
    return register
        .newestFirst(null)
        .filter(alarm -> !alarm.value().isCleared())
        .map(alarm -> alarm.value().subject().part() + ": " + alarm.value().text())
        .toList();
  }

  @Test
  void aDestinationThatFailsForHalfAMinuteIsAnAlarm() {
    state.destinationFails = true;
    sample();
    clock.pass(Duration.ofSeconds(29));
    sample();
    assertThat(open()).isEmpty();
    clock.pass(Duration.ofSeconds(1));
    sample();
    assertThat(open())
        .containsExactly("mqtt:home: mqtt:home does not take deliveries: /api/northbound says why");
    state.destinationFails = false;
    sample();
    assertThat(open()).isEmpty();
  }
}
