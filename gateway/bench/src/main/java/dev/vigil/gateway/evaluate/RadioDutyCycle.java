package dev.vigil.gateway.evaluate;

import dev.vigil.border.cost.Board;
import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Plot;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Thesis, figures 30 to 34, 37 and 38: energy and response time of an echo over size and hops, with
 * receivers that are mostly off, as under ContikiMAC (the thesis, table 3). The real stacks run in
 * virtual time over a line of six hops and over thirteen motes (mote-firmware/bench/network.c,
 * mote-firmware/bench/duty.c). The energy of an echo is the energy of all motes' radios, less their
 * energy without echoes in the same time; the root has mains power.
 */
final class RadioDutyCycle implements Experiment {
  private static final List<Integer> SEEDS = List.of(1, 2, 3);
  private static final String ECHOES = "100";
  private static final List<String> PROTECTIONS = List.of("none", "AH", "ESP");
  private static final List<Integer> SIZES = List.of(8, 16, 32, 64, 512);
  private static final int MOTES = 6;
  private static final double MICRO = 1e-6;
  private static final double MILLI = 1e-3;
  private static final double LEAST_FIT = 0.97;

  private final EmulatedMotes motes;

  RadioDutyCycle(EmulatedMotes motes) {
    this.motes = motes;
  }

  /** The senders' knowledge of their receivers' wake-ups. */
  private enum Mode {
    LOCKED("locked", "phase lock"),
    STROBES("strobes", "no phase lock");

    final String argument;
    final String label;

    Mode(String argument, String label) {
      this.argument = argument;
      this.label = label;
    }
  }

  /**
   * A cell of the program's output, over all seeds.
   *
   * @param lost with the worst seed
   * @param millis mean response time
   * @param millijoules of one echo
   */
  private record Cell(int lost, double millis, double millijoules) {
    Cell with(Cell other) {
      return new Cell(
          Math.max(lost, other.lost), millis + other.millis, millijoules + other.millijoules);
    }

    Cell mean() {
      return new Cell(lost, millis / SEEDS.size(), millijoules / SEEDS.size());
    }
  }

  /** The networks; their worst overhead is in milliseconds. */
  private enum Network {
    LINE("line", MOTES, 186),
    THIRTEEN("thirteen", 13, 137);

    final String label;
    final int farthest;
    final double theirOverhead;

    Network(String label, int farthest, double theirOverhead) {
      this.label = label;
      this.farthest = farthest;
      this.theirOverhead = theirOverhead;
    }
  }

  private record Key(Mode mode, Network network, String protection, int mote, int size) {}

  /** Milliseconds that all motes send and listen in a second without echoes. */
  private record Idle(double sending, double listening) {
    double millijoules(double seconds) {
      return energy(sending * seconds, listening * seconds);
    }
  }

  private static double energy(double sendingMillis, double listeningMillis) {
    return Board.TMOTE_SKY.microjoules(new Board.Work(sendingMillis, listeningMillis, 0)) * MILLI;
  }

  @Override
  public List<String> tables() {
    return List.of("duty-cycle", "duty-cycle-hops", "duty-cycle-response");
  }

  @Override
  public boolean isQuick() {
    return false;
  }

  @Override
  public List<Table> run() throws IOException, InterruptedException {
    Map<Key, Cell> cells = new HashMap<>();
    Map<Mode, Idle> idle = new HashMap<>();
    for (Mode mode : Mode.values()) {
      System.err.println("sending echoes to motes whose receivers are off, " + mode.label);
      for (int seed : SEEDS) {
        String[] arguments = {Integer.toString(seed), ECHOES, mode.argument};
        for (String line : motes.host("build/evaluate/network", arguments)) {
          read(mode, line.split("\t"), cells, idle);
        }
      }
    }
    cells.replaceAll((_, sum) -> sum.mean());
    return List.of(bySize(cells, idle), byHops(cells), response(cells));
  }

  private static void read(Mode mode, String[] field, Map<Key, Cell> cells, Map<Mode, Idle> idle) {
    double echoes = Double.parseDouble(field[5]);
    Idle unasked =
        new Idle(Double.parseDouble(field[13]) * MILLI, Double.parseDouble(field[14]) * MILLI);
    double seconds = Double.parseDouble(field[15]) * MICRO;
    double all =
        energy(Double.parseDouble(field[11]) * MILLI, Double.parseDouble(field[12]) * MILLI);
    Network network = field[0].equals("line") ? Network.LINE : Network.THIRTEEN;
    if (network == Network.LINE && field[1].equals("none")) {
      idle.put(mode, unasked);
    }
    cells.merge(
        new Key(mode, network, field[1], Integer.parseInt(field[2]), Integer.parseInt(field[4])),
        new Cell(
            Integer.parseInt(field[6]),
            Double.parseDouble(field[7]) * MILLI,
            (all - unasked.millijoules(seconds)) / echoes),
        Cell::with);
  }

  private static <K, V> V value(Map<K, V> values, K key) throws IOException {
    V value = values.get(key);
    if (value == null) {
      throw new IOException("the network printed no cell " + key);
    }
    return value;
  }

  private static List<Double> overHops(
      Map<Key, Cell> cells, Mode mode, String protection, int size, ToDoubleFunction<Cell> what)
      throws IOException {
    List<Double> values = new ArrayList<>();
    for (int hops = 1; hops <= MOTES; hops++) {
      values.add(
          what.applyAsDouble(value(cells, new Key(mode, Network.LINE, protection, hops, size))));
    }
    return values;
  }

  private static double mean(Map<Key, Cell> cells, Mode mode, String protection, int size)
      throws IOException {
    return overHops(cells, mode, protection, size, Cell::millijoules).stream()
        .mapToDouble(Double::doubleValue)
        .average()
        .orElseThrow();
  }

  private static Table bySize(Map<Key, Cell> cells, Map<Mode, Idle> idle) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (Mode mode : Mode.values()) {
      int lost =
          cells.entrySet().stream()
              .filter(one -> one.getKey().mode() == mode)
              .mapToInt(one -> one.getValue().lost())
              .max()
              .orElseThrow();
      rows.add(
          Row.atMost(
              mode.label + ": most lost in a cell of 100", 8.0, lost, "", 0, How.VIRTUAL_RADIO));
      Idle unasked = value(idle, mode);
      rows.add(
          beside(mode.label + ": receiver on, no echoes", unasked.listening() / MOTES / 10, "%"));
      rows.add(
          beside(
              mode.label + ": a mote's minute, no echoes", unasked.millijoules(60) / MOTES, "mJ"));
    }
    rows.add(beside("always on: a mote's minute", energy(0, 60_000), "mJ"));
    for (int size : SIZES) {
      double none = mean(cells, Mode.LOCKED, "none", size);
      double ah = mean(cells, Mode.LOCKED, "AH", size);
      double esp = mean(cells, Mode.LOCKED, "ESP", size);
      rows.add(beside(size + " B, no IPsec", none, "mJ"));
      rows.add(above(size + " B, AH", ah, none, "above none"));
      rows.add(above(size + " B, ESP", esp, ah, "above AH"));
      rows.add(
          beside(size + " B, ESP, no phase lock", mean(cells, Mode.STROBES, "ESP", size), "mJ"));
    }
    return new Table(
        "duty-cycle",
        "energy of an echo with a duty cycle of 125 ms, mean of one to six hops",
        rows,
        List.of(sizes(cells)));
  }

  private static Table byHops(Map<Key, Cell> cells) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (int size : SIZES) {
      for (String protection : PROTECTIONS) {
        String name = "%d B, %s: ".formatted(size, protection);
        Cell last = value(cells, new Key(Mode.LOCKED, Network.LINE, protection, MOTES, size));
        rows.add(beside(name + "six hops", last.millijoules(), "mJ"));
        rows.add(beside(name + "response over six hops", last.millis(), "ms"));
        rows.add(
            Row.atLeast(
                name + "fit of a line over the hops",
                null,
                fit(overHops(cells, Mode.LOCKED, protection, size, Cell::millijoules)),
                "R²",
                LEAST_FIT,
                How.VIRTUAL_RADIO));
      }
    }
    return new Table(
        "duty-cycle-hops",
        "energy and response time of an echo over the hops, with phase lock",
        rows,
        List.of(
            hops(
                cells,
                "duty-cycle-energy.svg",
                "Energy of an echo of 16 octets",
                "mJ",
                Cell::millijoules),
            hops(
                cells,
                "duty-cycle-response.svg",
                "Response time of 16 octets",
                "ms",
                Cell::millis)));
  }

  /**
   * Overhead of AH and ESP in the response, compared with the worst cases of the thesis' figures 33
   * and 39, with the ciphers' time on the thesis' processor.
   */
  private Table response(Map<Key, Cell> cells) throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (Network network : Network.values()) {
      for (String protection : List.of("AH", "ESP")) {
        for (int size : List.of(8, 16, 32, 64)) {
          double added =
              value(cells, new Key(Mode.LOCKED, network, protection, network.farthest, size))
                      .millis()
                  - value(cells, new Key(Mode.LOCKED, network, "none", network.farthest, size))
                      .millis();
          String name = "%s, %s, %d B: overhead, ".formatted(network.label, protection, size);
          double theirs = network.theirOverhead;
          double table = added + cipherMillis("table-based", protection, size);
          rows.add(
              Row.atMost(name + "AES from tables", theirs, table, "ms", theirs, How.VIRTUAL_RADIO));
          double pairs = added + cipherMillis(Instructions.PAIRS, protection, size);
          rows.add(
              Row.beside(
                  name + "constant-time AES, pairs", theirs, pairs, "ms", How.VIRTUAL_RADIO));
        }
      }
    }
    return new Table(
        "duty-cycle-response",
        "overhead of the response over six hops, with phase lock and an MSP430F1611; theirs is the"
            + " worst case of figures 33 and 39",
        rows);
  }

  private double cipherMillis(String driver, String protection, int size)
      throws IOException, InterruptedException {
    return motes.cipherMillis(Processor.MSP430F1611, driver, protection, size);
  }

  /** The share of the variance that a straight line over 1, 2, 3 ... explains. */
  private static double fit(List<Double> values) {
    double middle = (values.size() + 1) / 2.0;
    double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (int i = 0; i < values.size(); i++) {
      double x = i + 1 - middle;
      double y = values.get(i) - mean;
      xx += x * x;
      xy += x * y;
      yy += y * y;
    }
    return xy * xy / (xx * yy);
  }

  private static Row beside(String row, double ours, String unit) {
    return Row.beside(row, null, ours, unit, How.VIRTUAL_RADIO);
  }

  private static Row above(String row, double ours, double other, String must) {
    return new Row(row, null, ours, "mJ", must, ours > other, How.VIRTUAL_RADIO);
  }

  private static Plot sizes(Map<Key, Cell> cells) throws IOException {
    List<Plot.Line> lines = new ArrayList<>();
    for (Mode mode : Mode.values()) {
      for (String protection : PROTECTIONS) {
        List<Plot.Point> points = new ArrayList<>();
        for (int size : SIZES) {
          points.add(new Plot.Point(size, mean(cells, mode, protection, size)));
        }
        lines.add(new Plot.Line(protection + ", " + mode.label, points));
      }
    }
    return new Plot("duty-cycle.svg", "Energy of an echo", "octets of payload", "mJ", lines);
  }

  private static Plot hops(
      Map<Key, Cell> cells, String file, String title, String unit, ToDoubleFunction<Cell> what)
      throws IOException {
    List<Plot.Line> lines = new ArrayList<>();
    for (Mode mode : Mode.values()) {
      for (String protection : PROTECTIONS) {
        List<Plot.Point> points = new ArrayList<>();
        List<Double> values = overHops(cells, mode, protection, 16, what);
        for (int i = 0; i < MOTES; i++) {
          points.add(new Plot.Point(i + 1, values.get(i)));
        }
        lines.add(new Plot.Line(protection + ", " + mode.label, points));
      }
    }
    return new Plot(file, title, "hops", unit, lines);
  }
}
