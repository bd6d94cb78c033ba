package dev.vigil.gateway.automations.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.automations.rules.AutomationCondition;
import dev.vigil.gateway.automations.rules.AutomationSchedule;
import dev.vigil.gateway.automations.rules.ConditionKind;
import dev.vigil.gateway.automations.rules.Match;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AutomationEvaluatorTest {
  private static final long START = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();
  private static final List<String> EVERY_DAY =
      List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

  private final List<Firing> firings = new ArrayList<>();
  private long seq;

  private static AutomationCondition above(String path, double limit, double hysteresis) {
    return new AutomationCondition(
        ConditionKind.VALUE, "mote", path, null, null, limit, null, hysteresis, null, null);
  }

  private static AutomationCondition rate(double above, long perSeconds) {
    return new AutomationCondition(
        ConditionKind.RATE, "mote", "temp", null, null, above, null, 0, perSeconds, null);
  }

  private static AutomationCondition age(long seconds) {
    return new AutomationCondition(
        ConditionKind.AGE, "mote", "temp", null, null, null, null, 0, null, seconds);
  }

  private static Automation automation(
      Match match,
      List<AutomationCondition> conditions,
      @Nullable AutomationSchedule schedule,
      long hold,
      long cooldown,
      int most) {
    return new Automation(
        "fan",
        "",
        true,
        match,
        conditions,
        schedule,
        hold,
        cooldown,
        most,
        List.of(),
        "operator",
        null,
        Instant.ofEpochMilli(START));
  }

  private static Automation simple(AutomationCondition... conditions) {
    return automation(Match.ALL, List.of(conditions), null, 0, 0, 60);
  }

  private AutomationEvaluator begun(Automation automation) {
    AutomationEvaluator evaluator = new AutomationEvaluator(automation, EvaluatorMemory.NONE);
    evaluator.begin(START);
    return evaluator;
  }

  /** A reading some seconds after the start. */
  private void measure(
      AutomationEvaluator evaluator, double seconds, int condition, double number) {
    long at = START + Math.round(1000 * seconds);
    evaluator.until(at, firings::add);
    evaluator.add(condition, new NumberReading(++seq, at, at / 1000.0, number, "Cel"));
    evaluator.at(at, firings::add);
  }

  private void pass(AutomationEvaluator evaluator, double seconds) {
    evaluator.until(START + Math.round(1000 * seconds) + 1, firings::add);
  }

  private List<Long> acted() {
    return firings.stream()
        .filter(one -> !one.suspended())
        .map(one -> (one.at() - START) / 1000)
        .toList();
  }

  @Test
  void actsOnceWhenTheValueCrossesTheLimitAndAgainAfterItCameBack() {
    AutomationEvaluator evaluator = begun(simple(above("temp", 30, 0)));
    measure(evaluator, 1, 0, 30);
    measure(evaluator, 2, 0, 31);
    measure(evaluator, 3, 0, 35);
    measure(evaluator, 4, 0, 29);
    measure(evaluator, 5, 0, 31);
    assertThat(acted()).containsExactly(2L, 5L);
    assertThat(firings.getFirst().causes().getFirst().number()).isEqualTo(31);
  }

  @Test
  void aHysteresisKeepsItFromActingAgainTooEarly() {
    AutomationEvaluator evaluator = begun(simple(above("temp", 30, 2)));
    measure(evaluator, 1, 0, 31);
    measure(evaluator, 2, 0, 28.5);
    measure(evaluator, 3, 0, 31);
    measure(evaluator, 4, 0, 28);
    measure(evaluator, 5, 0, 29);
    measure(evaluator, 6, 0, 31);
    assertThat(acted()).containsExactly(1L, 6L);
  }

  @Test
  void aConditionThatHoldsAtTheBeginningIsNoReasonToAct() {
    AutomationEvaluator evaluator =
        new AutomationEvaluator(simple(above("temp", 30, 0)), EvaluatorMemory.NONE);
    evaluator.add(0, new NumberReading(++seq, START - 1, START / 1000.0, 31, null));
    evaluator.begin(START);
    measure(evaluator, 1, 0, 32);
    assertThat(acted()).isEmpty();
    measure(evaluator, 2, 0, 20);
    measure(evaluator, 3, 0, 32);
    assertThat(acted()).containsExactly(3L);
  }

  @Test
  void actsOnlyAfterTheHoldTime() {
    AutomationEvaluator evaluator =
        begun(automation(Match.ALL, List.of(above("temp", 30, 0)), null, 60, 0, 60));
    measure(evaluator, 10, 0, 31);
    measure(evaluator, 69, 0, 29);
    measure(evaluator, 70, 0, 31);
    pass(evaluator, 129);
    assertThat(acted()).isEmpty();
    pass(evaluator, 200);
    assertThat(acted()).containsExactly(130L);
  }

  @Test
  void allNeedsEachConditionAndAnyNeedsOne() {
    List<AutomationCondition> two = List.of(above("temp", 30, 0), above("hum", 70, 0));
    AutomationEvaluator all = begun(automation(Match.ALL, two, null, 0, 0, 60));
    measure(all, 1, 0, 31);
    assertThat(acted()).isEmpty();
    measure(all, 2, 1, 71);
    assertThat(acted()).containsExactly(2L);
    firings.clear();
    AutomationEvaluator any = begun(automation(Match.ANY, two, null, 0, 0, 60));
    measure(any, 1, 0, 31);
    measure(any, 2, 1, 71);
    assertThat(acted()).containsExactly(1L);
  }

  @Test
  void aRateComparesWithTheReadingOneTimeBefore() {
    AutomationEvaluator evaluator = begun(simple(rate(5, 60)));
    measure(evaluator, 0, 0, 20);
    measure(evaluator, 30, 0, 24.9);
    measure(evaluator, 60, 0, 24.9);
    assertThat(acted()).isEmpty();
    measure(evaluator, 90, 0, 31);
    assertThat(acted()).containsExactly(90L);
    assertThat(firings.getFirst().causes().getFirst().number()).isCloseTo(6.1, within());
  }

  private static org.assertj.core.data.Offset<Double> within() {
    return org.assertj.core.data.Offset.offset(1e-6);
  }

  @Test
  void aRateOverALongerPauseIsScaled() {
    AutomationEvaluator evaluator = begun(simple(rate(5, 60)));
    measure(evaluator, 0, 0, 20);
    measure(evaluator, 120, 0, 28);
    assertThat(acted()).isEmpty();
    measure(evaluator, 240, 0, 40);
    assertThat(acted()).containsExactly(240L);
  }

  @Test
  void aRateBeyondTheLargestNumberIsUnknown() {
    AutomationEvaluator evaluator = begun(simple(rate(5, 60)));
    measure(evaluator, 0, 0, -1.7e308);
    measure(evaluator, 60, 0, 1.7e308);
    assertThat(acted()).isEmpty();
    assertThat(evaluator.causes(START + 60_000).getFirst().number()).isNull();
    measure(evaluator, 120, 0, 1.7e308);
    measure(evaluator, 180, 0, 1.7e308);
    measure(evaluator, 181, 0, 1);
    assertThat(acted()).isEmpty();
  }

  @Test
  void theAgeOfTheLastValueNeedsNoReading() {
    AutomationEvaluator evaluator = begun(simple(age(300)));
    pass(evaluator, 1000);
    assertThat(acted()).as("nothing is known before the first value").isEmpty();
    measure(evaluator, 1000, 0, 0);
    measure(evaluator, 1200, 0, 0);
    pass(evaluator, 1499);
    assertThat(acted()).isEmpty();
    pass(evaluator, 1501);
    assertThat(acted()).containsExactly(1500L);
  }

  @Test
  void anUntrustedEndpointFulfilsNoCondition() {
    AutomationEvaluator evaluator = begun(simple(above("temp", 30, 0)));
    evaluator.usable(0, false);
    measure(evaluator, 1, 0, 31);
    assertThat(acted()).isEmpty();
    evaluator.usable(0, true);
    evaluator.at(START + 2000, firings::add);
    assertThat(acted()).containsExactly(2L);
  }

  @Test
  void anOlderUpdateThatArrivesLateIsIgnored() {
    AutomationEvaluator evaluator = begun(simple(above("temp", 30, 0)));
    evaluator.add(0, new NumberReading(8, START, START / 1000.0, 20, null));
    evaluator.add(0, new NumberReading(7, START + 1, START / 1000.0, 40, null));
    evaluator.at(START + 1, firings::add);
    assertThat(acted()).isEmpty();
  }

  @Test
  void theCooldownDelaysTheNextRunWhileTheConditionHolds() {
    AutomationEvaluator evaluator =
        begun(automation(Match.ALL, List.of(above("temp", 30, 0)), null, 0, 60, 60));
    measure(evaluator, 1, 0, 31);
    measure(evaluator, 2, 0, 20);
    measure(evaluator, 3, 0, 31);
    measure(evaluator, 4, 0, 20);
    measure(evaluator, 50, 0, 31);
    pass(evaluator, 100);
    assertThat(acted()).containsExactly(1L, 61L);
  }

  @Test
  void tooManyRunsWithinAnHourSuspendIt() {
    AutomationEvaluator evaluator =
        begun(automation(Match.ALL, List.of(above("temp", 30, 0)), null, 0, 0, 3));
    for (int i = 0; i < 6; i++) {
      measure(evaluator, 10 * i + 1, 0, 31);
      measure(evaluator, 10 * i + 2, 0, 20);
    }
    assertThat(acted()).containsExactly(1L, 11L, 21L);
    assertThat(firings.stream().filter(Firing::suspended)).hasSize(1);
    measure(evaluator, 8000, 0, 31);
    assertThat(acted()).as("until it is saved again").hasSize(3);
    assertThat(evaluator.memory().suspendedAt()).isEqualTo(START + 31_000);
  }

  @Test
  void aRestartNeitherRepeatsNorLosesAnAction() {
    Automation automation = simple(above("temp", 30, 2));
    AutomationEvaluator evaluator = begun(automation);
    measure(evaluator, 1, 0, 31);
    AutomationEvaluator restarted = new AutomationEvaluator(automation, evaluator.memory());
    measure(restarted, 2, 0, 29);
    measure(restarted, 3, 0, 31);
    assertThat(acted()).as("the hysteresis is remembered").containsExactly(1L);
    measure(restarted, 4, 0, 20);
    restarted = new AutomationEvaluator(automation, restarted.memory());
    measure(restarted, 5, 0, 31);
    assertThat(acted()).containsExactly(1L, 5L);
  }

  @Test
  void aRunAfterNowIsARunNowBecauseTheClockWasSetBack() {
    Automation automation = automation(Match.ALL, List.of(above("temp", 30, 0)), null, 0, 60, 2);
    long later = START + 3_600_000;
    AutomationEvaluator evaluator =
        new AutomationEvaluator(
            automation,
            new EvaluatorMemory(List.of(), null, false, List.of(later - 60_000, later), null));
    evaluator.setBack(START);
    measure(evaluator, 1, 0, 31);
    pass(evaluator, 3600);
    assertThat(acted()).as("after the cooldown").containsExactly(60L);
  }

  @Test
  void theHoldTimeBeginsAgainWhenTheClockWasSetBack() {
    Automation automation = automation(Match.ALL, List.of(above("temp", 30, 0)), null, 60, 0, 60);
    AutomationEvaluator evaluator =
        new AutomationEvaluator(
            automation, new EvaluatorMemory(List.of(), START + 3_600_000, false, List.of(), null));
    evaluator.setBack(START);
    measure(evaluator, 1, 0, 31);
    pass(evaluator, 3600);
    assertThat(acted()).containsExactly(60L);
  }

  private static AutomationSchedule span(List<String> days, String from, String to) {
    return new AutomationSchedule(days, from, to, "Europe/Berlin");
  }

  private static Instant berlin(String local) {
    return LocalDateTime.parse(local).atZone(ZoneId.of("Europe/Berlin")).toInstant();
  }

  @Test
  void aSpanAcrossMidnightBelongsToTheDayOnWhichItBegins() {
    AutomationSchedule friday = span(List.of("fri"), "22:00", "06:00");
    assertThat(friday.includes(berlin("2026-06-05T21:59"))).isFalse();
    assertThat(friday.includes(berlin("2026-06-05T22:00"))).isTrue();
    assertThat(friday.includes(berlin("2026-06-06T05:59"))).isTrue();
    assertThat(friday.includes(berlin("2026-06-06T06:00"))).isFalse();
    assertThat(friday.includes(berlin("2026-06-05T03:00"))).isFalse();
  }

  @Test
  void equalTimesAreAWholeDay() {
    AutomationSchedule monday = span(List.of("mon"), "00:00", "00:00");
    assertThat(monday.includes(berlin("2026-06-01T00:00"))).isTrue();
    assertThat(monday.includes(berlin("2026-06-01T23:59"))).isTrue();
    assertThat(monday.includes(berlin("2026-06-02T00:00"))).isFalse();
  }

  /** On 2026-03-29 02:00 becomes 03:00, on 2026-10-25 03:00 becomes 02:00. */
  @Test
  void theClockOnTheWallDecidesOnDaysOnWhichClocksChange() {
    AutomationSchedule night = span(EVERY_DAY, "02:30", "03:30");
    assertThat(night.includes(Instant.parse("2026-03-29T00:59:00Z"))).as("01:59").isFalse();
    assertThat(night.includes(Instant.parse("2026-03-29T01:00:00Z"))).as("03:00").isTrue();
    assertThat(night.includes(Instant.parse("2026-03-29T01:30:00Z"))).as("03:30").isFalse();
    assertThat(night.includes(Instant.parse("2026-10-25T00:30:00Z"))).as("first 02:30").isTrue();
    assertThat(night.includes(Instant.parse("2026-10-25T01:00:00Z"))).as("second 02:00").isFalse();
    assertThat(night.includes(Instant.parse("2026-10-25T01:30:00Z"))).as("second 02:30").isTrue();
  }

  @Test
  void aScheduleWithoutConditionsActsWhenItBegins() {
    AutomationEvaluator evaluator =
        begun(automation(Match.ALL, List.of(), span(EVERY_DAY, "06:00", "07:00"), 0, 0, 60));
    pass(evaluator, 3 * 86_400);
    // 06:00 in Berlin is 04:00 UTC.
    assertThat(acted()).containsExactly(4 * 3600L, 86_400 + 4 * 3600L, 2 * 86_400 + 4 * 3600L);
  }

  @Test
  void aConditionThatHoldsWhenTheScheduleBeginsIsAReasonToAct() {
    AutomationEvaluator evaluator =
        begun(
            automation(
                Match.ALL,
                List.of(above("temp", 30, 0)),
                span(EVERY_DAY, "06:00", "07:00"),
                600,
                0,
                60));
    measure(evaluator, 100, 0, 31);
    pass(evaluator, 86_400);
    assertThat(acted()).containsExactly(4 * 3600L + 600);
  }
}
