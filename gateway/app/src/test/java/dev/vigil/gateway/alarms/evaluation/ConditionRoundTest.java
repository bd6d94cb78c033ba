package dev.vigil.gateway.alarms.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.alarms.conditions.AlarmText;
import dev.vigil.gateway.alarms.conditions.RuleLimits;
import dev.vigil.gateway.alarms.conditions.RuleScope;
import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.kinds.ValueOutOfLimits;
import dev.vigil.gateway.alarms.register.Alarm;
import dev.vigil.gateway.alarms.register.Alarm.Acknowledgement;
import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.AlarmRule;
import dev.vigil.gateway.alarms.silences.Silence;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ConditionRoundTest {
  private static final Subject MOTE = new Subject("", "mote", "7", "temp");

  private final SettableClock clock = new SettableClock();
  private final MemoryStore store = new MemoryStore();
  private final List<String> again = new ArrayList<>();
  private Silences silences = silences();
  private AlarmRegister register = register();
  private ConditionRound round = new ConditionRound(register, again::add);

  private Silences silences() {
    return new Silences(new Records(store, clock), clock);
  }

  private AlarmRegister register() {
    return new AlarmRegister(new Records(store, clock), silences, clock, new Random(1));
  }

  private void restart() {
    silences = silences();
    register = register();
    round = new ConditionRound(register, again::add);
  }

  /** A rule about values above 30, as the alarm rule "hot". */
  static AlarmRule rule(long hold, long clear) {
    return new AlarmRule(
        "hot",
        true,
        new ValueOutOfLimits(),
        Severity.WARNING,
        RuleScope.ALL,
        RuleLimits.above(30),
        hold,
        clear);
  }

  private static Alarm.Key key(Subject subject) {
    return new Alarm.Key("hot", subject);
  }

  /**
   * Runs a round in which the condition holds or not; returns when the owner must be asked again.
   */
  private long say(AlarmRule rule, boolean holds) {
    round.begin("7", clock.millis());
    round.condition(
        key(MOTE), rule, holds, () -> new AlarmText("31 is above 30", "31 is above 30"));
    return round.end();
  }

  private List<Alarm> alarms() {
    return register.newestFirst(null).map(Versioned::value).toList();
  }

  private Alarm only() {
    assertThat(alarms()).hasSize(1);
    return alarms().getFirst();
  }

  @Test
  void aConditionRaisesOneAlarmAndClearsIt() {
    AlarmRule rule = rule(0, 0);
    say(rule, true);
    say(rule, true);
    assertThat(only().state()).isEqualTo("active");
    assertThat(only().text()).isEqualTo("31 is above 30");
    assertThat(again).as("the endpoint may have changed meanwhile").containsExactly("7");
    say(rule, false);
    assertThat(only().state()).isEqualTo("cleared");
  }

  @Test
  void aConditionMustLastAndBeOverForTheTimesOfItsRule() {
    AlarmRule rule = rule(60, 30);
    assertThat(say(rule, true)).isEqualTo(clock.millis() + 60_000);
    clock.pass(Duration.ofSeconds(59));
    say(rule, true);
    assertThat(alarms()).isEmpty();
    say(rule, false);
    clock.pass(Duration.ofSeconds(2));
    say(rule, true);
    assertThat(alarms()).as("the time starts again").isEmpty();
    clock.pass(Duration.ofSeconds(60));
    say(rule, true);
    assertThat(only().isCleared()).isFalse();
    assertThat(say(rule, false)).isEqualTo(clock.millis() + 30_000);
    clock.pass(Duration.ofSeconds(29));
    say(rule, true);
    clock.pass(Duration.ofSeconds(2));
    say(rule, false);
    assertThat(only().isCleared()).isFalse();
    clock.pass(Duration.ofSeconds(30));
    say(rule, false);
    assertThat(only().isCleared()).isTrue();
  }

  @Test
  void anAlarmThatComesBackSoonIsTheSameOne() {
    AlarmRule rule = rule(0, 0);
    for (int i = 0; i < 5; i++) {
      say(rule, true);
      clock.pass(Duration.ofSeconds(1));
      say(rule, false);
    }
    assertThat(only().count()).isEqualTo(5);
    clock.pass(Duration.ofSeconds(601));
    say(rule, true);
    assertThat(alarms()).extracting(Alarm::count).containsExactly(1, 5);
  }

  @Test
  void aClockThatIsSetBackDoesNotMultiplyAnAlarm() {
    AlarmRule rule = rule(0, 0);
    clock.pass(Duration.ofHours(2));
    say(rule, true);
    clock.pass(Duration.ofHours(-2));
    say(rule, false);
    clock.pass(Duration.ofMinutes(11));
    for (int i = 0; i < 5; i++) {
      say(rule, true);
    }
    assertThat(alarms()).extracting(Alarm::state).containsExactly("active", "cleared");
    assertThat(alarms().getFirst().raisedAt()).isEqualTo(clock.instant());
    say(rule, false);
    say(rule, true);
    assertThat(alarms()).extracting(Alarm::count).as("it flaps").containsExactly(2, 1);
    say(rule, false);
    clock.pass(Duration.ofMinutes(11));
    say(rule, true);
    say(rule, false);
    assertThat(alarms()).hasSize(3).allMatch(Alarm::isCleared);
  }

  @Test
  void severalOpenAlarmsOfAConditionAreClearedTogether() {
    AlarmRule rule = rule(0, 0);
    say(rule, true);
    Alarm open = only();
    say(rule, false);
    RecordSet<Alarm> stored = new Records(store, clock).of(AlarmRegister.KIND, Alarm.class);
    stored.put("000000001-a", open, OptionalLong.of(0), Audit.UNRECORDED).join();
    stored.put("000000002-b", open, OptionalLong.of(0), Audit.UNRECORDED).join();
    restart();
    say(rule, true);
    assertThat(alarms())
        .extracting(Alarm::state)
        .as("no further one is raised")
        .containsExactly("cleared", "active", "active");
    say(rule, false);
    assertThat(alarms()).hasSize(3).allMatch(Alarm::isCleared);
    assertThat(register.owners()).isEmpty();
  }

  @Test
  void acknowledgedAlarmsSurviveARestartWithoutBeingRaisedAgain() {
    AlarmRule rule = rule(0, 0);
    say(rule, true);
    String id = register.newestFirst(null).toList().getFirst().id();
    register
        .update(
            id,
            alarm -> alarm.acknowledgedBy(new Acknowledgement("op", clock.instant(), "seen")),
            new Audit("op", "acknowledged", ""))
        .join();
    restart();
    say(rule, true);
    assertThat(only().state()).isEqualTo("acknowledged");
    assertThat(only().count()).isEqualTo(1);
    say(rule, false);
    assertThat(only().state()).isEqualTo("cleared");
    assertThat(only().acknowledged()).isNotNull();
  }

  @Test
  void anAlarmThatARoundDoesNotReportIsCleared() {
    say(rule(0, 60), true);
    round.begin("7", clock.millis());
    round.end();
    assertThat(only().isCleared()).as("the rule or the endpoint is gone").isTrue();
    say(rule(0, 60), true);
    round.begin("8", clock.millis());
    round.end();
    assertThat(only().isCleared()).as("another owner").isFalse();
  }

  @Test
  void aFullDiskDelaysAnAlarm() {
    store.full(true);
    long retry = say(rule(0, 0), true);
    assertThat(retry).isEqualTo(clock.millis() + 30_000);
    assertThat(alarms()).isEmpty();
    store.full(false);
    say(rule(0, 0), true);
    assertThat(only().isCleared()).isFalse();
  }

  @Test
  void aFullDiskDelaysTheClearingOfAnAlarm() {
    say(rule(0, 0), true);
    store.full(true);
    long retry = clock.millis() + 30_000;
    assertThat(say(rule(0, 0), false)).isEqualTo(retry);
    round.begin("7", clock.millis());
    assertThat(round.end()).as("without a report").isEqualTo(retry);
    assertThat(only().isCleared()).isFalse();
    store.full(false);
    round.begin("7", clock.millis());
    round.end();
    assertThat(only().isCleared()).isTrue();
  }

  @Test
  void twoGatewaysThatRaiseAnAlarmAtOnceRaiseOne() {
    AlarmRegister other =
        new AlarmRegister(new Records(store, clock), silences, clock, new Random(2));
    AlarmText text = new AlarmText("31 is above 30", "31 is above 30");
    store.hold();
    CompletableFuture<Boolean> first = register.raise(key(MOTE), rule(0, 0), text);
    CompletableFuture<Boolean> second = other.raise(key(MOTE), rule(0, 0), text);
    store.release();
    assertThat(first.join()).isTrue();
    assertThat(second.join()).as("it is open").isTrue();
    assertThat(only().count()).isEqualTo(1);
  }

  @Test
  void openAlarmsOfOneRuleAreBounded() {
    AlarmRule rule = rule(0, 0);
    for (int i = 0; i < AlarmRegister.MAX_OPEN_SHARE + 3; i++) {
      String id = "e" + i;
      round.begin(id, clock.millis());
      round.condition(
          key(new Subject("", id, id, null)),
          rule,
          true,
          () -> new AlarmText("missing", "missing"));
      round.end();
    }
    assertThat(alarms()).hasSize(AlarmRegister.MAX_OPEN_SHARE);
    assertThat(register.refused()).isEqualTo(3);
    round.begin("d", clock.millis());
    round.condition(
        key(new Subject("d", "d", "d", null)),
        rule,
        true,
        () -> new AlarmText("missing", "missing"));
    round.end();
    assertThat(register.openOf("d")).as("another domain has its own share").hasSize(1);
    round.begin("e0", clock.millis());
    round.end();
    round.begin("late", clock.millis());
    round.condition(
        key(new Subject("", "late", "late", null)),
        rule,
        true,
        () -> new AlarmText("missing", "missing"));
    round.end();
    assertThat(register.openOf("late")).hasSize(1);
  }

  @Test
  void clearedAlarmsAreBounded() {
    AlarmRule rule = rule(0, 0);
    int number = AlarmRegister.MAX_CLEARED + 10;
    for (int i = 0; i < number; i++) {
      String id = "e" + i;
      clock.pass(Duration.ofSeconds(1));
      round.begin(id, clock.millis());
      round.condition(
          key(new Subject("", id, id, null)),
          rule,
          true,
          () -> new AlarmText("missing", "missing"));
      round.end();
      round.begin(id, clock.millis());
      round.end();
    }
    assertThat(alarms()).hasSizeBetween(AlarmRegister.MAX_CLEARED, AlarmRegister.MAX_CLEARED + 1);
    assertThat(alarms().getFirst().subject().ep()).as("newest").isEqualTo("e" + (number - 1));
  }

  @Test
  void aSilenceMatchesUntilItEnds() {
    say(rule(0, 0), true);
    silences
        .put("s", new Silence(null, "", "mote", clock.instant().plusSeconds(60), "op", ""))
        .join();
    assertThat(register.isSilenced(only())).isTrue();
    assertThat(
            new Silence("other", null, null, clock.instant(), "op", "")
                .fits(only().rule(), only().subject()))
        .isFalse();
    clock.pass(Duration.ofSeconds(61));
    assertThat(register.isSilenced(only())).isFalse();
    silences.removeEnded();
    assertThat(silences.get("s")).isEmpty();
  }

  @Test
  void timersAreDueOnceAtTheirEarliestTime() {
    TimerQueue timers = new TimerQueue();
    timers.at("a", 100);
    timers.at("b", 50);
    timers.at("a", 20);
    timers.at("a", 200);
    timers.at("never", Long.MAX_VALUE);
    assertThat(timers.due(19)).isEmpty();
    assertThat(timers.due(60)).containsExactly("a", "b");
    assertThat(timers.due(1000)).isEmpty();
    timers.at("a", 70);
    assertThat(timers.due(70)).containsExactly("a");
    assertThat(timers.size()).isZero();
  }
}
