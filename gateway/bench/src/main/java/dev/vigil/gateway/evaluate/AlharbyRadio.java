package dev.vigil.gateway.evaluate;

import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Alharby 2018, figures 10 and 11: latency over a relay and throughput over one hop at each level,
 * on the virtual radio, with the ciphers' time of a simulated MSP430F1611, their processor. The
 * paper gives its values as percentages of level 0.
 */
final class AlharbyRadio implements Experiment {
  private static final Processor BOARD = Processor.MSP430F1611;
  private static final double MICROS_PER_MILLI = 1000;
  private static final List<Integer> SEEDS = List.of(1, 2, 3);
  private static final String SOFTWARE = "table-based";
  private static final int LEVELS = 8;
  private static final int SMALL = 24;
  private static final int LARGE = 80;
  private static final String FRAMES = "1000";

  private final EmulatedMotes motes;

  AlharbyRadio(EmulatedMotes motes) {
    this.motes = motes;
  }

  private record Figures(double latencyMillis, double perSecond) {}

  @Override
  public List<String> tables() {
    return List.of("alharby-10", "alharby-11");
  }

  @Override
  public boolean isQuick() {
    return false;
  }

  @Override
  public List<Table> run() throws IOException, InterruptedException {
    List<Row> latency = new ArrayList<>();
    for (int payload : List.of(SMALL, LARGE)) {
      double base = figures(SOFTWARE, 0, payload).latencyMillis();
      latency.add(
          Row.beside(
              "%d B, level 0".formatted(payload),
              theirs(payload, 0),
              base,
              "ms",
              How.VIRTUAL_RADIO));
      for (int level = 1; level < LEVELS; level++) {
        double more = (figures(SOFTWARE, level, payload).latencyMillis() / base - 1) * 100;
        String name = "%d B, level %d, above level 0".formatted(payload, level);
        latency.add(Row.beside(name, theirs(payload, level), more, "%", How.VIRTUAL_RADIO));
      }
    }
    return List.of(
        new Table(
            "alharby-10",
            "latency of a packet over two hops, AES from tables, MSP430F1611",
            latency),
        new Table(
            "alharby-11",
            "packets in a time over one hop, 24 B, below level 0, MSP430F1611",
            throughput()));
  }

  /** The numbers in the text: milliseconds at level 0, percent above it at 1 and 4. */
  private static @Nullable Double theirs(int payload, int level) {
    if (payload != LARGE) {
      return null;
    }
    return Map.of(0, 42.0, 1, 328.0, 4, 526.0).get(level);
  }

  private List<Row> throughput() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (String driver : Instructions.DRIVERS) {
      double base = figures(driver, 0, SMALL).perSecond();
      for (int level = 1; level < LEVELS; level++) {
        double less = (1 - figures(driver, level, SMALL).perSecond() / base) * 100;
        double theirs = level < 4 ? 53.5 : 62;
        rows.add(
            Row.beside(
                "level %d, %s AES".formatted(level, driver), theirs, less, "%", How.VIRTUAL_RADIO));
      }
    }
    return rows;
  }

  private Figures figures(String driver, int level, int payload)
      throws IOException, InterruptedException {
    double latency = 0;
    double rate = 0;
    for (int seed : SEEDS) {
      String[] fields =
          motes
              .host(
                  "build/evaluate/link",
                  Integer.toString(level),
                  Integer.toString(payload),
                  micros(driver, "level " + level + " seal", payload),
                  micros(driver, "level " + level + " open", payload),
                  FRAMES,
                  Integer.toString(seed))
              .getFirst()
              .split("\t");
      latency += Double.parseDouble(fields[0]) / MICROS_PER_MILLI;
      rate += Double.parseDouble(fields[1]);
    }
    return new Figures(latency / SEEDS.size(), rate / SEEDS.size());
  }

  private String micros(String driver, String what, int payload)
      throws IOException, InterruptedException {
    double millis = BOARD.millis(motes.cost(BOARD, "frame", driver, what, payload));
    return Long.toString(Math.round(millis * MICROS_PER_MILLI));
  }
}
