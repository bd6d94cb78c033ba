package dev.vigil.gateway.evaluate;

import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Plot;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Raza 2011, figure 7, and the thesis' two AES implementations: instructions of each algorithm over
 * its size, with AES in constant time, from tables, and in hardware that costs nothing.
 */
public final class Instructions implements Experiment {
  private static final List<Integer> SIZES = List.of(16, 32, 64, 128, 256, 512);
  private static final List<String> ALGORITHMS =
      List.of(
          "AES-CBC",
          "AES-CTR",
          "XCBC-96, ESP",
          "XCBC-96, AH",
          "HMAC-SHA1-96, ESP",
          "HMAC-SHA1-96, AH");
  static final List<String> DRIVERS = List.of("constant-time", "table-based", "hardware");

  /**
   * The suffix of drivers whose associations cache the subkeys of XCBC; without it they cache
   * nothing.
   */
  static final String SUBKEYS = ", subkeys";

  /** The subkeys are kept, and two blocks are encrypted at a time. */
  static final String PAIRS = "constant-time, pairs";

  /** As {@link #PAIRS}, and the expanded keys are kept. */
  private static final String EXPANDED = "constant-time, expanded";

  private static final List<String> CACHES =
      List.of("constant-time" + SUBKEYS, PAIRS, EXPANDED, "table-based" + SUBKEYS);

  /** For {@link #PAIRS} and 64 octets. */
  private static final double MOST_FOR_ESP = 45_000;

  private final EmulatedMotes motes;

  Instructions(EmulatedMotes motes) {
    this.motes = motes;
  }

  @Override
  public List<String> tables() {
    return List.of("raza-7", "thesis-4");
  }

  @Override
  public boolean isQuick() {
    return false;
  }

  @Override
  public List<Table> run() throws IOException, InterruptedException {
    return List.of(algorithms(), drivers());
  }

  private double cipher(String driver, String algorithm, int size)
      throws IOException, InterruptedException {
    return motes.instructions("cipher", driver, algorithm, size);
  }

  private Table algorithms() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    List<Plot> plots = new ArrayList<>();
    for (String driver : List.of("constant-time", EXPANDED, "table-based")) {
      List<Plot.Line> lines = new ArrayList<>();
      for (String algorithm : ALGORITHMS) {
        List<Plot.Point> points = new ArrayList<>();
        for (int size : SIZES) {
          double count = cipher(driver, algorithm, size);
          points.add(new Plot.Point(size, count));
          rows.add(
              Row.beside(
                  algorithm + ", " + size + " B, " + driver, null, count, "instr.", How.EMULATED));
        }
        lines.add(new Plot.Line(algorithm, points));
      }
      String cheapest = "encryption and authentication of 16 B, " + driver + ": CBC and XCBC";
      double aes = cipher(driver, "AES-CBC", 16) + cipher(driver, "XCBC-96, ESP", 16);
      double hmac = cipher(driver, "AES-CBC", 16) + cipher(driver, "HMAC-SHA1-96, ESP", 16);
      rows.add(
          driver.equals("constant-time")
              ? Row.beside(cheapest, null, aes, "instr.", How.EMULATED)
              : new Row(
                  cheapest,
                  null,
                  aes,
                  "instr.",
                  "less than with HMAC-SHA1",
                  aes < hmac,
                  How.EMULATED));
      for (int size : List.of(16, 64)) {
        for (String mac : List.of("XCBC-96, ESP", "HMAC-SHA1-96, ESP")) {
          String row = "AES-CTR and " + mac + ", " + size + " B, " + driver;
          double both = cipher(driver, "AES-CTR", size) + cipher(driver, mac, size);
          rows.add(Row.beside(row, null, both, "instr.", How.EMULATED));
        }
      }
      plots.add(
          new Plot(
              "raza-7-" + driver.replace(", ", "-") + ".svg",
              "Instructions of each algorithm, " + driver + " AES",
              "octets",
              "instructions",
              lines));
    }
    return new Table("raza-7", "the cost of each algorithm over its size", rows, plots);
  }

  /** ESP with AES-CTR and XCBC. */
  private Table drivers() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    List<String> drivers = new ArrayList<>(DRIVERS);
    drivers.addAll(CACHES);
    for (int size : List.of(8, 16, 32, 64)) {
      for (String driver : drivers) {
        String name = "ESP, " + size + " B, sealing, " + driver;
        double count = motes.instructions("ipsec", driver, "ESP seal", size);
        rows.add(
            size == 64 && driver.equals(PAIRS)
                ? Row.atMost(name, null, count, "instr.", MOST_FOR_ESP, How.EMULATED)
                : Row.beside(name, null, count, "instr.", How.EMULATED));
      }
    }
    for (String driver : CACHES) {
      double octets = motes.instructions("ram", driver, "cache of an association", 0);
      rows.add(
          Row.beside("RAM of an association's cache, " + driver, null, octets, "B", How.COUNTED));
    }
    return new Table("thesis-4", "two AES implementations, and AES that costs nothing", rows);
  }
}
