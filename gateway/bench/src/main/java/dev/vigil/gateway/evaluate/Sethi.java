package dev.vigil.gateway.evaluate;

import dev.vigil.border.cost.DutyCycle;
import dev.vigil.border.cost.SecurityCost;
import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import java.util.List;

/** Sethi 2012: a minute of a mote that never sleeps, and of one that wakes to sign and send. */
final class Sethi implements Experiment {
  private static final double VOLTS = 5;

  /** Processor and Ethernet. */
  private static final double AWAKE_MILLIAMPS = 20 + 183;

  private static final double SLEEP_MILLIAMPS = 5.4;
  private static final double PERIOD_SECONDS = 60;
  private static final double WAKE_SECONDS = 0.987;
  private static final double BATTERY_JOULES = 1800 * 3.6 * VOLTS;
  private static final double HOURS_PER_DAY = 24;

  @Override
  public List<String> tables() {
    return List.of("sethi-energy");
  }

  @Override
  public boolean isQuick() {
    return true;
  }

  @Override
  public List<Table> run() {
    DutyCycle always = cycle(PERIOD_SECONDS);
    DutyCycle theirs = cycle(WAKE_SECONDS);
    DutyCycle ours = cycle(SecurityCost.DEFAULT.signMillis() / 1000);
    return List.of(
        new Table(
            "sethi-energy",
            "a minute on the authors' board, by their formula",
            List.of(
                Row.within("always on", 60.9, always.joules(), "J", 1, How.MODEL),
                Row.within("awake for their 987 ms", 2.6, theirs.joules(), "J", 1, How.MODEL),
                Row.atMost("awake for our signature", 2.6, ours.joules(), "J", 2.6, How.MODEL),
                Row.within(
                    "battery, always on",
                    9,
                    always.days(BATTERY_JOULES) * HOURS_PER_DAY,
                    "h",
                    3,
                    How.MODEL),
                Row.within(
                    "battery, their 987 ms", 8.5, theirs.days(BATTERY_JOULES), "d", 3, How.MODEL),
                Row.atLeast(
                    "battery, our signature",
                    8.5,
                    ours.days(BATTERY_JOULES),
                    "d",
                    8.5,
                    How.MODEL))));
  }

  private static DutyCycle cycle(double awakeSeconds) {
    return DutyCycle.of(VOLTS, AWAKE_MILLIAMPS, awakeSeconds, SLEEP_MILLIAMPS, PERIOD_SECONDS);
  }
}
