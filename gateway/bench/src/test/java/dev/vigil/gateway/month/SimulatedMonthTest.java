package dev.vigil.gateway.month;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.testing.MemoryFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Some days with one fault of each kind, and whole months. Seeds of months: {@code
 * VIGIL_MONTH_SEEDS} (as {@code 7} or {@code 3-9}), else 50 with {@code ./vigil test --all}.
 */
class SimulatedMonthTest {
  private static final Path PROGRAM =
      Path.of(System.getProperty("vigil.vectors", ".")).resolve("../build/evaluate/month");

  private static final int ALL_SEEDS = 50;
  private static final String ALL = "only with ./vigil test --all: minutes";

  /** No fault lasts longer; two wake-ups of the slowest mote follow. */
  private static final Duration FAULTS = Duration.ofDays(27);

  private static final Duration FEW_DAYS = Duration.ofDays(3);
  private static final Duration FIVE_DAYS = Duration.ofDays(5);

  /** In memory where the machine has such a folder. */
  @TempDir(factory = MemoryFolder.class)
  private Path folder;

  @BeforeAll
  static void requiresTheMotes() {
    Assumptions.assumeTrue(
        Files.exists(PROGRAM), "no motes: run make build/evaluate/month in mote-firmware");
  }

  @Test
  void keepsEveryReadingOfAQuietDay() throws Exception {
    MotePlan plan = MonthPlan.twenty().getFirst();
    try (Month month = new Month(PROGRAM, folder, 1, List.of(plan), Defect.NONE)) {
      month.powerOn(plan.id());
      month.run(Duration.ofDays(1));
      month.check();
      assertThat(month.ledger(plan.id()).updates()).isEqualTo(96);
      month.requireOnTime(plan.id());
    }
  }

  @Test
  void keepsItsPromisesThroughOneFaultOfEachKind() throws Exception {
    try (Month month = new Month(PROGRAM, folder, 1, MonthPlan.twenty(), Defect.NONE)) {
      assertThatCode(() -> Faults.liveThroughEachKind(month, FIVE_DAYS))
          .as(month.log())
          .doesNotThrowAnyException();
      assertThat(month.network().replayed()).as(month.log()).isPositive();
    }
  }

  static boolean wantsMonths() {
    return System.getenv("VIGIL_MONTH_SEEDS") != null
        || "1".equals(System.getenv("VIGIL_TEST_ALL"));
  }

  static LongStream seeds() {
    String chosen = System.getenv("VIGIL_MONTH_SEEDS");
    if (chosen == null) {
      return LongStream.rangeClosed(1, ALL_SEEDS);
    }
    String[] ends = chosen.split("-", 2);
    return LongStream.rangeClosed(Long.parseLong(ends[0]), Long.parseLong(ends[ends.length - 1]));
  }

  @EnabledIf(value = "wantsMonths", disabledReason = ALL)
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void keepsItsPromisesForAMonth(long seed) throws Exception {
    Month month = new Month(PROGRAM, folder, seed, MonthPlan.twenty(), Defect.NONE);
    try (month) {
      Faults.liveThrough(month, FAULTS, EnumSet.allOf(Episodes.Kind.class));
    } catch (Violation violation) {
      throw new AssertionError(
          "%s%n%nto repeat: VIGIL_MONTH_SEEDS=%d ./vigil test SimulatedMonthTest%n%n%s"
              .formatted(violation.getMessage(), seed, month.log()),
          violation);
    }
  }

  @EnabledIfEnvironmentVariable(named = "VIGIL_TEST_ALL", matches = "1", disabledReason = ALL)
  @Test
  void recoversWhatOutagesAndRestorationsTook() throws Exception {
    try (Month month = new Month(PROGRAM, folder, 4, MonthPlan.frequent(), Defect.NONE)) {
      Faults.liveThrough(
          month, Duration.ofDays(6), Set.of(Episodes.Kind.OUTAGE, Episodes.Kind.RESTORE));
      assertThat(month.network().recovered()).as(month.log()).isPositive();
    }
  }

  @EnabledIfEnvironmentVariable(named = "VIGIL_TEST_ALL", matches = "1", disabledReason = ALL)
  @Test
  void recoversWithWrongClocks() throws Exception {
    try (Month month = new Month(PROGRAM, folder, 2, MonthPlan.frequent(), Defect.NONE)) {
      Faults.liveThrough(
          month,
          FEW_DAYS,
          Set.of(Episodes.Kind.OUTAGE, Episodes.Kind.GATEWAY_CLOCK, Episodes.Kind.MOTE_CLOCK));
      assertThat(month.network().recovered()).as(month.log()).isPositive();
    }
  }

  @EnabledIfEnvironmentVariable(named = "VIGIL_TEST_ALL", matches = "1", disabledReason = ALL)
  @Test
  void answers503ToWhatAFullDiskDoesNotTakeAndRecoversIt() throws Exception {
    try (Month month = new Month(PROGRAM, folder, 1, MonthPlan.frequent(), Defect.NONE)) {
      Faults.liveThrough(month, FEW_DAYS, Set.of(Episodes.Kind.FULL_DISK));
      assertThat(month.ledgers())
          .as(month.log())
          .allSatisfy(ledger -> assertThat(ledger.unavailable()).isPositive());
      assertThat(month.network().recovered()).as(month.log()).isPositive();
    }
  }

  @EnabledIfEnvironmentVariable(named = "VIGIL_TEST_ALL", matches = "1", disabledReason = ALL)
  @Test
  void keepsEveryReadingWhileMotesChangeTheirKeys() throws Exception {
    try (Month month = new Month(PROGRAM, folder, 1, MonthPlan.frequent(), Defect.NONE)) {
      Faults.liveThrough(month, FEW_DAYS, Set.of(Episodes.Kind.ROTATE));
      assertThat(month.ledgers())
          .as(month.log())
          .anySatisfy(ledger -> assertThat(ledger.keys()).isGreaterThan(1));
    }
  }

  /** The invariants catch deliberate defects within days of the faults that show them. */
  @EnabledIfEnvironmentVariable(named = "VIGIL_TEST_ALL", matches = "1", disabledReason = ALL)
  @ParameterizedTest
  @CsvSource({
    "FORGETS_NUMBERS, FORGET, 5",
    "RESTORES_NUMBERS, RESTORE, 6",
    "FORGETS_COUNTERS, OUTAGE, 3",
    "REPEATS_NUMBERS, POWER, 3",
    "CONFIRMS_UNDONE, DOMAIN, 2",
    "NEVER_APPROVES, REPLACE, 2",
    "LOSES_READINGS, OUTAGE, 3",
    "ANSWERS_UNSTORED, FULL_DISK, 3",
    "SKIPS_COMMANDS, OVERLOAD, 3",
    "STREAM_DECIDES_ONCE, DOMAIN, 3",
    "OBSERVATION_DECIDES_ONCE, DOMAIN, 3"
  })
  void catchesADefect(Defect defect, Episodes.Kind kind, int days) throws Exception {
    try (Month month = new Month(PROGRAM, folder, 1, MonthPlan.frequent(), defect)) {
      assertThatThrownBy(() -> Faults.liveThrough(month, Duration.ofDays(days), Set.of(kind)))
          .as(month.log())
          .isInstanceOf(Violation.class);
    }
  }
}
