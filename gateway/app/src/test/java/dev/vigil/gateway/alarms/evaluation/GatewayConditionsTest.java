package dev.vigil.gateway.alarms.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.kinds.AutomationStopped;
import dev.vigil.gateway.alarms.kinds.ClusterRepaired;
import dev.vigil.gateway.alarms.kinds.ClusterSnapshotOld;
import dev.vigil.gateway.alarms.kinds.DeliveriesFailing;
import dev.vigil.gateway.alarms.kinds.KeysWaiting;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.AlarmRule;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.gateway.openalarms.StoppedAutomations;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.MemoryStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GatewayConditionsTest {
  private final SettableClock clock = new SettableClock();
  private final Records records = new Records(new MemoryStore(), clock);
  private final AlarmRegister register =
      new AlarmRegister(records, new Silences(records, clock), clock, new Random(1));
  private final ConditionRound round = new ConditionRound(register, owner -> {});
  private final Set<String> waiting = new HashSet<>();
  private boolean destinationFails;
  private OptionalLong oldSnapshot = OptionalLong.empty();
  private List<StoppedAutomations.Stopped> stopped = List.of();
  private Map<String, ClusterRepaired.Repair> repaired = Map.of();
  private final GatewayConditions conditions = conditions();

  /** A gateway without trouble, except for its destination, its cluster and the keys that wait. */
  private GatewayConditions conditions() {
    GatewayConditions made =
        new GatewayConditions(
            IdleSources.with(
                (KeysWaiting.Source) () -> waiting,
                (ClusterSnapshotOld.Source) () -> oldSnapshot,
                (AutomationStopped.Source) () -> stopped,
                (ClusterRepaired.Source) () -> repaired,
                (DeliveriesFailing.Source) () -> Map.of("mqtt:home", destinationFails)));
    made.use(new RuleBook(records));
    return made;
  }

  private void sample() {
    round.begin(Subject.NO_ENDPOINT, clock.millis());
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
  void aKindWithoutASourceIsRefused() {
    assertThatThrownBy(() -> new GatewayConditions(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Source");
  }

  @Test
  void keysThatWaitAreAnAlarmOfTheirDomainUntilTheClearTimeIsOver() {
    AlarmRule rule = RuleBook.defaultOf(new KeysWaiting()).orElseThrow().rule();
    AlarmRule slow =
        new AlarmRule(
            rule.name(), true, rule.kind(), rule.severity(), rule.scope(), rule.limits(), 0, 60);
    RuleBook rules = new RuleBook(records);
    rules.put("keys-waiting", slow, OptionalLong.empty(), "operator").join();
    conditions.use(rules);
    waiting.add("lab");
    sample();
    waiting.clear();
    sample();
    clock.pass(Duration.ofSeconds(59));
    sample();
    assertThat(open()).containsExactly("null: keys wait for a decision in domain lab");
    clock.pass(Duration.ofSeconds(1));
    sample();
    assertThat(open()).isEmpty();
  }

  @Test
  void aDestinationThatFailsForHalfAMinuteIsAnAlarm() {
    destinationFails = true;
    sample();
    clock.pass(Duration.ofSeconds(29));
    sample();
    assertThat(open()).isEmpty();
    clock.pass(Duration.ofSeconds(1));
    sample();
    assertThat(open())
        .containsExactly("mqtt:home: mqtt:home does not take deliveries: the page System says why");
    destinationFails = false;
    sample();
    assertThat(open()).isEmpty();
  }

  @Test
  void anAlarmOfARepairNamesTheLossOrTheDamage() {
    repaired =
        Map.of("north", new ClusterRepaired.Repair(3), "south", new ClusterRepaired.Repair(0));
    sample();
    assertThat(open())
        .containsExactlyInAnyOrder(
            "north: the cluster's servers had lost 3 changes; the gateway north has repaired them: check the servers' disks",
            "south: the database of the gateway south was damaged and has been filled again: check its disk");
  }

  @Test
  void aSnapshotThatStaysOldIsAnAlarmUntilThereIsANewOne() {
    oldSnapshot = OptionalLong.of(65_000);
    sample();
    clock.pass(Duration.ofSeconds(899));
    sample();
    assertThat(open()).as("a new snapshot takes a while").isEmpty();
    clock.pass(Duration.ofSeconds(1));
    sample();
    assertThat(open())
        .containsExactly(
            "null: the cluster has had no snapshot for 18 h, and its stream grows: see snapshot-not-made in the gateways' logs");
    oldSnapshot = OptionalLong.empty();
    sample();
    assertThat(open()).isEmpty();
  }

  @Test
  void aStoppedAutomationIsAnAlarm() {
    stopped = List.of(new StoppedAutomations.Stopped("fan", "plant", "Fan in hall 3"));
    sample();
    clock.pass(Duration.ofSeconds(30));
    sample();
    assertThat(open())
        .containsExactly(
            "fan: automation Fan in hall 3 does not act: the page Automations says why");
    stopped = List.of();
    sample();
    assertThat(open()).isEmpty();
  }
}
