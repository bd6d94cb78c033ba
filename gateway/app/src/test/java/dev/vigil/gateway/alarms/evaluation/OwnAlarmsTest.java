package dev.vigil.gateway.alarms.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.alarms.conditions.GatewaySource;
import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.kinds.DiskNearlyFull;
import dev.vigil.gateway.alarms.kinds.GatewaySilent;
import dev.vigil.gateway.alarms.kinds.RadioLost;
import dev.vigil.gateway.alarms.register.Alarm;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.MemoryStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Two gateways of a cluster; the disks of both are full, and {@code south} has a radio. */
class OwnAlarmsTest {
  private final SettableClock clock = new SettableClock();
  private final Records records = new Records(new MemoryStore(), clock);
  private final RuleBook rules = new RuleBook(records);
  private final AlarmRegister register =
      new AlarmRegister(records, new Silences(records, clock), clock, new Random(1));
  private double free = 1;
  private final Map<String, Boolean> radios = new HashMap<>(Map.of("serial", false));
  private final OwnAlarms north = own("north", Map.of());
  private final OwnAlarms south = own("south", radios);

  private OwnAlarms own(String gateway, Map<String, Boolean> itsRadios) {
    List<GatewaySource> sources =
        IdleSources.with(
            (DiskNearlyFull.Source) () -> OptionalDouble.of(free),
            (RadioLost.Source) () -> itsRadios);
    return new OwnAlarms(
        gateway, new GatewayConditions(sources, kind -> !kind.isShared()), rules, register, clock);
  }

  private void pass(Duration time) {
    for (int i = 0; i < 2; i++) {
      north.step();
      south.step();
      clock.pass(time);
    }
  }

  private List<String> open() {
    return register
        .newestFirst(null)
        .map(Versioned::value)
        .filter(alarm -> !alarm.isCleared())
        .map(Alarm::text)
        .sorted()
        .toList();
  }

  @Test
  void eachGatewayRaisesAndClearsItsOwnAlarms() {
    pass(Duration.ofSeconds(70));
    north.step();
    south.step();
    assertThat(open())
        .containsExactly(
            "north: 1.0 % of the disk is free",
            "south: 1.0 % of the disk is free", "south: radio serial is lost");
    Subject radio = Subject.part("serial").at("south");
    assertThat(register.openOf(Subject.ownerOf("south")))
        .extracting(Alarm.Key::subject)
        .contains(radio);
    radios.put("serial", true);
    free = 50;
    pass(Duration.ofSeconds(70));
    assertThat(open()).isEmpty();
  }

  @Test
  void theHolderOfTheDutiesEvaluatesOnlyWhatAllGatewaysShare() {
    List<GatewaySource> sources =
        IdleSources.with(
            (DiskNearlyFull.Source) () -> OptionalDouble.of(1),
            (GatewaySilent.Source) () -> Map.of("north", 2L, "south", 31L));
    GatewayConditions shared = new GatewayConditions(sources, kind -> kind.isShared());
    shared.use(rules);
    ConditionRound round = new ConditionRound(register, any -> {});
    for (int i = 0; i < 3; i++) {
      round.begin(Subject.NO_ENDPOINT, clock.millis());
      shared.evaluate(round);
      round.end();
      clock.pass(Duration.ofSeconds(100));
    }
    assertThat(open()).containsExactly("the gateway south is silent: check its machine");
  }
}
