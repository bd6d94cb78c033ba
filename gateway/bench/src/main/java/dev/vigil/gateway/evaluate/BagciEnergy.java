package dev.vigil.gateway.evaluate;

import dev.vigil.border.cost.Board;
import dev.vigil.border.cost.Configuration;
import dev.vigil.border.cost.Cost;
import dev.vigil.border.cost.Scenario;
import dev.vigil.border.cost.SecurityCost;
import dev.vigil.border.cost.Transport;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bagci 2013, section IV C: the energy of storing a block and sending it once, in the experiments B
 * to D against A. Computing is measured in cycles of a simulated MSP430F1611, their processor, and
 * taken at the board's clock and current; sending is the air time of the frames of the packet.
 *
 * <p>The paper takes the flash's currents from a data sheet and prints none. The current is
 * therefore taken between nothing and {@link #MOST_FLASH_MILLIAMPS}. The flash does the same work
 * on both sides, except for the additional octets of a block; a higher current makes every saving
 * smaller. Erasing is not counted, as in the paper.
 */
final class BagciEnergy implements Experiment {
  private static final Processor BOARD = Processor.MSP430F1611;
  private static final List<Integer> PAYLOADS = List.of(6, 22, 38, 54);
  private static final List<String> DRIVERS = List.of("table-based", "constant-time");

  /** Of B with 54 octets. */
  private static final double THEIR_BEST = 32.1;

  /** Of D with 6 octets; their other experiments, which have no figures, are between the two. */
  private static final double THEIR_WORST = 18.7;

  /** Octets of a block that only a stored ESP text has: UDP header and ESP trailer. */
  private static final int ESP_FIELDS = 10;

  /** An assumed bound of the current in any use of the flash. */
  private static final double MOST_FLASH_MILLIAMPS = 20;

  /** A page program, which takes up to 256 octets (ST M25P80, 2004, typical). */
  private static final double PROGRAM_MILLIS = 1.4;

  /** An assumed bound: a bus of 1 Mbit/s. */
  private static final double OCTET_MILLIS = 0.008;

  /** Their times in software for 54 octets, figures 4a and 5a, and the share of one encryption. */
  private static final double THEIR_A_MILLIS = 37.6;

  private static final double THEIR_B_MILLIS = 20.2;
  private static final double THEIR_ENCRYPTION = 0.215;

  private final EmulatedMotes motes;

  BagciEnergy(EmulatedMotes motes) {
    this.motes = motes;
  }

  /**
   * The work for one block, stored and sent once.
   *
   * @param programs page programs of the flash
   * @param octets written to and read from the flash
   */
  record Work(double cpuMillis, double airMillis, double programs, double octets) {
    double microjoules(double flashMilliamps) {
      return computing() + sending() + flash(flashMilliamps);
    }

    double computing() {
      return Board.TMOTE_SKY.microjoules(new Board.Work(0, 0, cpuMillis));
    }

    double sending() {
      return Board.TMOTE_SKY.microjoules(new Board.Work(airMillis, 0, 0));
    }

    double flash(double milliamps) {
      return Board.TMOTE_SKY.volts()
          * milliamps
          * (programs * PROGRAM_MILLIS + octets * OCTET_MILLIS);
    }

    /** How much less energy this takes than another, in percent. */
    double savedAgainst(Work other, double flashMilliamps) {
      return 100 * (1 - microjoules(flashMilliamps) / other.microjoules(flashMilliamps));
    }
  }

  @Override
  public List<String> tables() {
    return List.of("bagci-energy");
  }

  @Override
  public boolean isQuick() {
    return false;
  }

  @Override
  public List<Table> run() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (String driver : DRIVERS) {
      for (String mode : List.of("A", "B")) {
        parts(rows, mode + ", 54 B, " + driver, work(mode, 54, driver));
      }
      for (String mode : List.of("B", "C", "D")) {
        for (int payload : PAYLOADS) {
          saving(rows, mode, payload, driver);
        }
      }
    }
    rows.add(theirTimes());
    return List.of(
        new Table("bagci-energy", "energy of a block stored and sent, saved against A", rows));
  }

  private static void parts(List<Row> rows, String name, Work work) {
    rows.add(Row.beside(name + ": computing", null, work.computing(), "µJ", How.MODEL));
    rows.add(Row.beside("  sending", null, work.sending(), "µJ", How.MODEL));
    double flash = work.flash(MOST_FLASH_MILLIAMPS);
    rows.add(Row.beside("  flash at the most", null, flash, "µJ", How.MODEL));
  }

  /** The saving with flash at the most, then with flash for nothing. */
  private void saving(List<Row> rows, String mode, int payload, String driver)
      throws IOException, InterruptedException {
    Work before = work("A", payload, driver);
    Work after = work(mode, payload, driver);
    Double theirs = theirs(mode, payload);
    String name = "%s, %d B, %s".formatted(mode, payload, driver);
    rows.add(row(name, theirs, after.savedAgainst(before, MOST_FLASH_MILLIAMPS)));
    rows.add(row("  with flash for nothing", theirs, after.savedAgainst(before, 0)));
  }

  /** With a condition where the paper has a figure. */
  private static Row row(String name, @Nullable Double theirs, double ours) {
    return theirs == null
        ? Row.beside(name, null, ours, "%", How.MODEL)
        : Row.atLeast(name, theirs, ours, "%", theirs, How.MODEL);
  }

  private static @Nullable Double theirs(String mode, int payload) {
    return switch (mode + payload) {
      case "B54" -> THEIR_BEST;
      case "D6" -> THEIR_WORST;
      default -> null;
    };
  }

  private Work work(String mode, int payload, String driver)
      throws IOException, InterruptedException {
    double cycles =
        motes.cost(BOARD, "store", driver, mode, payload)
            + motes.cost(BOARD, "block-store", driver, mode, payload);
    // Conventional storage keeps the payload alone; the block store keeps ESP's in every mode.
    int fewer = mode.equals("A") ? ESP_FIELDS : 0;
    double written = flash(driver, mode + " written", payload) - fewer;
    double read = flash(driver, mode + " read", payload) - fewer;
    return new Work(
        BOARD.millis(cycles),
        airMillis(payload),
        flash(driver, mode + " writes", payload),
        written + read);
  }

  private double flash(String driver, String use, int payload)
      throws IOException, InterruptedException {
    return motes.cost(BOARD, "flash", driver, use, payload);
  }

  /** ESP with CTR and XCBC over one hop, which all experiments send alike. */
  private static double airMillis(int payload) {
    Cost cost =
        SecurityCost.DEFAULT.of(
            new Scenario(payload, false, 1, 60, 2000),
            new Configuration(SecurityLevel.NONE, Transport.ESP_CTR_XCBC, false));
    return cost.hops().getFirst().airMillis();
  }

  /** The same model with the processor's times of the paper instead of ours, flash for nothing. */
  private static Row theirTimes() {
    double storing = THEIR_ENCRYPTION * THEIR_A_MILLIS;
    Work before = new Work(storing + THEIR_A_MILLIS, airMillis(54), 0, 0);
    Work after = new Work(storing + THEIR_B_MILLIS, airMillis(54), 0, 0);
    double saved = after.savedAgainst(before, 0);
    return Row.beside(
        "B, 54 B, by their times, flash for nothing", THEIR_BEST, saved, "%", How.MODEL);
  }
}
