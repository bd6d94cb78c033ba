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
    for (String driver : List.of("constant-time", "table-based")) {
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
          new Row(
              cheapest, null, aes, "instr.", "less than with HMAC-SHA1", aes < hmac, How.EMULATED));
      plots.add(
          new Plot(
              "raza-7-" + driver + ".svg",
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
    for (int size : List.of(8, 16, 32, 64)) {
      for (String driver : DRIVERS) {
        rows.add(
            Row.beside(
                "ESP, " + size + " B, sealing, " + driver,
                null,
                motes.instructions("ipsec", driver, "ESP seal", size),
                "instr.",
                How.EMULATED));
      }
    }
    return new Table("thesis-4", "two AES implementations, and AES that costs nothing", rows);
  }
}
