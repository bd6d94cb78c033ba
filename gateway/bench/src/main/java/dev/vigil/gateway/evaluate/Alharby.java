package dev.vigil.gateway.evaluate;

import dev.vigil.border.cost.Board;
import dev.vigil.border.cost.CpuTime;
import dev.vigil.border.cost.LinkFrame;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Plot;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import java.util.ArrayList;
import java.util.List;

/** Alharby 2018, tables V, VI and VII: the energy of a packet at each security level. */
final class Alharby implements Experiment {
  private static final List<Double> TABLE_V =
      List.of(82.81, 108.926, 116.54, 127.87, 110.19, 112.3, 119.91, 132.88);
  private static final List<Double> TABLE_VI =
      List.of(177.6, 212.74, 220.99, 233.99, 224.89, 228.17, 236.45, 249.21);

  /** Percent above level 0 at the lowest transmit power. */
  private static final List<Double> TABLE_VII =
      List.of(0.0, 44.47, 52.77, 65.05, 51.40, 53.32, 62.05, 76.10);

  /** Table V, level 0; its sum at the lowest power is what table VII's percentages refer to. */
  private static final double CPU_OF_LEVEL_0 = 9.53;

  private static final double RADIO_OF_LEVEL_0 = 73.28;
  private static final double ALLOWED_PERCENT = 6;

  @Override
  public List<String> tables() {
    return List.of("alharby-5", "alharby-6", "alharby-7");
  }

  @Override
  public boolean isQuick() {
    return true;
  }

  @Override
  public List<Table> run() {
    Board board = Board.TMOTE_SKY;
    Board weak = board.atLowestTransmitPower();
    double level0 = CPU_OF_LEVEL_0 + RADIO_OF_LEVEL_0 * weak.txMilliamps() / board.txMilliamps();
    List<Double> seven = TABLE_VII.stream().map(percent -> level0 * (1 + percent / 100)).toList();
    return List.of(
        new Table(
            "alharby-5",
            "energy of a packet of 24 octets (the model is calibrated on its processor column)",
            rows(board, 24, TABLE_V),
            List.of(plot("alharby-5.svg", board, 24, TABLE_V))),
        new Table(
            "alharby-6",
            "energy of a packet of 80 octets",
            rows(board, 80, TABLE_VI),
            List.of(plot("alharby-6.svg", board, 80, TABLE_VI))),
        new Table(
            "alharby-7",
            "24 octets at the lowest transmit power, from the percentages",
            rows(weak, 24, seven)));
  }

  private static List<Row> rows(Board board, int payload, List<Double> theirs) {
    List<Row> rows = new ArrayList<>();
    for (int level = 0; level < theirs.size(); level++) {
      double ours = microjoules(board, level, payload);
      rows.add(
          Row.within("level " + level, theirs.get(level), ours, "µJ", ALLOWED_PERCENT, How.MODEL));
    }
    return rows;
  }

  private static Plot plot(String file, Board board, int payload, List<Double> theirs) {
    List<Plot.Point> paper = new ArrayList<>();
    List<Plot.Point> model = new ArrayList<>();
    for (int level = 0; level < theirs.size(); level++) {
      paper.add(new Plot.Point(level, theirs.get(level)));
      model.add(new Plot.Point(level, microjoules(board, level, payload)));
    }
    return new Plot(
        file,
        "Energy of a packet of " + payload + " octets",
        "security level",
        "µJ",
        List.of(new Plot.Line("Alharby 2018", paper), new Plot.Line("ours", model)));
  }

  private static double microjoules(Board board, int level, int payload) {
    LinkFrame frame = LinkFrame.between(SecurityLevel.of(level), new byte[payload]);
    double cpu = CpuTime.TMOTE_SKY.millis(1, frame.aesBlocks());
    return board.microjoules(new Board.Work(frame.millis(), 0, cpu));
  }
}
