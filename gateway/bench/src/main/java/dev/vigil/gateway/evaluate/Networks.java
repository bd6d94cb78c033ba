package dev.vigil.gateway.evaluate;

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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Raza 2011, figures 9 and 10, thesis, figures 33 to 41 and tables 5 to 10: echoes from a far host
 * to motes, over a line of six hops and over thirteen motes. The real stacks run in virtual time on
 * a channel with collisions (mote-firmware/bench/network.c); the ciphers' time at the mote is that
 * of a simulated MSP430F1611, the papers' processor, with AES from tables. Receivers are always on
 * here, but used ContikiMAC in the thesis: {@link RadioDutyCycle} compares its response times.
 */
final class Networks implements Experiment {
  private static final List<Integer> SEEDS = List.of(1, 2, 3);
  private static final String ECHOES = "100";
  private static final double MILLIS_PER_OCTET = 0.032;

  /**
   * Time of a frame in addition to its octets: the mean of 0 to 7 backoffs of 0.32 ms, channel
   * sensing 0.128, turnaround 0.192, and the acknowledgement, 0.192 and 0.352 (802.15.4-2006,
   * section 7.5).
   */
  private static final double MILLIS_PER_FRAME = 3.5 * 0.32 + 0.128 + 0.192 + 0.192 + 0.352;

  /** Of Contiki, as in the papers; its timing depends on the key. */
  private static final String SOFTWARE = "table-based";

  /** AES that costs nothing. */
  private static final String HARDWARE = "hardware";

  private static final List<String> PROTECTIONS = List.of("none", "AH", "ESP");
  private static final List<Integer> SIZES = List.of(8, 16, 32, 64);
  private static final int LARGE = 512;
  private static final double NEAR_PERCENT = 10;

  private final EmulatedMotes motes;

  Networks(EmulatedMotes motes) {
    this.motes = motes;
  }

  /** A cell of a network's output, with the losses of the worst seed and the means of all seeds. */
  private record Cell(int hops, int lost, double millis, double frames, double octets) {
    Cell with(Cell other) {
      return new Cell(
          hops,
          Math.max(lost, other.lost),
          millis + other.millis,
          frames + other.frames,
          octets + other.octets);
    }

    Cell mean() {
      int seeds = SEEDS.size();
      return new Cell(hops, lost, millis / seeds, frames / seeds, octets / seeds);
    }
  }

  private record Key(String network, String protection, int mote, int size) {}

  @Override
  public List<String> tables() {
    return List.of("thesis-5", "raza-9", "raza-10", "thesis-33", "thesis-39");
  }

  @Override
  public boolean isQuick() {
    return false;
  }

  @Override
  public List<Table> run() throws IOException, InterruptedException {
    System.err.println("sending echoes over a line and over thirteen motes");
    Map<Key, Cell> cells = new HashMap<>();
    for (int seed : SEEDS) {
      for (String line : motes.host("build/evaluate/network", Integer.toString(seed), ECHOES)) {
        String[] field = line.split("\t");
        cells.merge(
            new Key(field[0], field[1], Integer.parseInt(field[2]), Integer.parseInt(field[4])),
            new Cell(
                Integer.parseInt(field[3]),
                Integer.parseInt(field[6]),
                Double.parseDouble(field[7]) / 1000,
                Double.parseDouble(field[8]),
                Double.parseDouble(field[9])),
            Cell::with);
      }
    }
    cells.replaceAll((_, sum) -> sum.mean());
    return List.of(lost(cells), bySize(cells), large(cells), line(cells), thirteen(cells));
  }

  private static Cell cell(
      Map<Key, Cell> cells, String network, String protection, int mote, int size)
      throws IOException {
    Cell cell = cells.get(new Key(network, protection, mote, size));
    if (cell == null) {
      throw new IOException("the network printed no cell " + network + " " + mote + " " + size);
    }
    return cell;
  }

  /** On the papers' processor. */
  private double cipherMillis(String driver, String protection, int size)
      throws IOException, InterruptedException {
    return motes.cipherMillis(Processor.MSP430F1611, driver, protection, size);
  }

  private static Table lost(Map<Key, Cell> cells) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String network : List.of("line", "thirteen")) {
      for (String protection : PROTECTIONS) {
        int most = 0;
        for (Map.Entry<Key, Cell> one : cells.entrySet()) {
          if (one.getKey().network().equals(network)
              && one.getKey().protection().equals(protection)) {
            most = Math.max(most, one.getValue().lost());
          }
        }
        double theirs = protection.equals("none") ? network.equals("line") ? 0 : 1 : 8;
        rows.add(
            Row.atMost(
                network + ", " + protection + ": most lost in a cell of 100",
                theirs,
                most,
                "",
                0,
                How.VIRTUAL_RADIO));
      }
    }
    return new Table("thesis-5", "echoes lost of 100, any size and hop (tables 5 to 10)", rows);
  }

  /** With receivers that are always on. */
  private Row total(
      Map<Key, Cell> cells,
      String network,
      String protection,
      int mote,
      int size,
      @Nullable Double theirs)
      throws IOException, InterruptedException {
    double overhead =
        cell(cells, network, protection, mote, size).millis()
            - cell(cells, network, "none", mote, size).millis()
            + cipherMillis(SOFTWARE, protection, size);
    return Row.beside(
        "%s, %d B, mote %d: overhead, receivers always on".formatted(protection, size, mote),
        theirs,
        overhead,
        "ms",
        How.VIRTUAL_RADIO);
  }

  /** The measured overhead without ciphers, divided by the time of what was added on the air. */
  private static Row airtime(
      Map<Key, Cell> cells, String network, String protection, int mote, int size)
      throws IOException {
    Cell ours = cell(cells, network, protection, mote, size);
    Cell plain = cell(cells, network, "none", mote, size);
    double air =
        (ours.octets() - plain.octets()) * MILLIS_PER_OCTET
            + (ours.frames() - plain.frames()) * MILLIS_PER_FRAME;
    return Row.within(
        "%s, %d B, %d hops: overhead beside its airtime".formatted(protection, size, ours.hops()),
        1,
        (ours.millis() - plain.millis()) / air,
        "",
        NEAR_PERCENT,
        How.VIRTUAL_RADIO);
  }

  /** One hop: in the paper, small datagrams are answered sooner under ESP, large ones under AH. */
  private Table bySize(Map<Key, Cell> cells) throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (int size : Stream.concat(SIZES.stream(), Stream.of(LARGE)).toList()) {
      double ah = cell(cells, "line", "AH", 1, size).millis();
      double esp = cell(cells, "line", "ESP", 1, size).millis();
      rows.add(
          Row.beside(
              size + " B: ESP later than AH",
              null,
              esp - ah + cipherMillis(SOFTWARE, "ESP", size) - cipherMillis(SOFTWARE, "AH", size),
              "ms",
              How.VIRTUAL_RADIO));
    }
    rows.add(percent(cells, "AH", SOFTWARE, 65));
    rows.add(percent(cells, "AH", HARDWARE, 12));
    rows.add(percent(cells, "ESP", SOFTWARE, 64));
    rows.add(percent(cells, "ESP", HARDWARE, 37));
    return new Table(
        "raza-9", "response time over one hop; hardware of ours is AES that costs nothing", rows);
  }

  private Row percent(Map<Key, Cell> cells, String protection, String driver, double theirs)
      throws IOException, InterruptedException {
    double plain = cell(cells, "line", "none", 1, LARGE).millis();
    double overhead =
        cell(cells, "line", protection, 1, LARGE).millis()
            - plain
            + cipherMillis(driver, protection, LARGE);
    return Row.beside(
        "%d B, %s, %s AES: overhead".formatted(LARGE, protection, driver),
        theirs,
        100 * overhead / plain,
        "%",
        How.VIRTUAL_RADIO);
  }

  private Table large(Map<Key, Cell> cells) throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (String protection : List.of("AH", "ESP")) {
      rows.add(total(cells, "line", protection, 4, LARGE, 261.0));
      for (int hops = 1; hops <= 6; hops++) {
        rows.add(airtime(cells, "line", protection, hops, LARGE));
      }
    }
    return new Table(
        "raza-10",
        "response time of 512 B over the hops; theirs rises by up to 261 ms (figures 9 and 10)",
        rows,
        List.of(plot("raza-10.svg", cells, LARGE)));
  }

  private Table line(Map<Key, Cell> cells) throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (String protection : List.of("AH", "ESP")) {
      for (int size : SIZES) {
        rows.add(total(cells, "line", protection, 6, size, null));
        rows.add(
            Row.beside(
                "%s, %d B: of it the ciphers'".formatted(protection, size),
                null,
                cipherMillis(SOFTWARE, protection, size),
                "ms",
                How.SIMULATED));
        for (int hops : List.of(1, 3, 6)) {
          rows.add(airtime(cells, "line", protection, hops, size));
        }
      }
    }
    return new Table(
        "thesis-33",
        "response time over a line of six hops with receivers that are always on",
        rows,
        List.of(plot("thesis-33-16.svg", cells, 16), plot("thesis-33-64.svg", cells, 64)));
  }

  private Table thirteen(Map<Key, Cell> cells) throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (String protection : List.of("AH", "ESP")) {
      for (int size : Stream.concat(SIZES.stream(), Stream.of(LARGE)).toList()) {
        rows.add(total(cells, "thirteen", protection, 13, size, null));
        rows.add(airtime(cells, "thirteen", protection, 13, size));
      }
    }
    return new Table(
        "thesis-39",
        "response time of the thirteenth of thirteen motes, six hops away, with receivers that are"
            + " always on",
        rows);
  }

  private Plot plot(String file, Map<Key, Cell> cells, int size)
      throws IOException, InterruptedException {
    List<Plot.Line> lines = new ArrayList<>();
    for (String protection : PROTECTIONS) {
      double ciphers = protection.equals("none") ? 0 : cipherMillis(SOFTWARE, protection, size);
      List<Plot.Point> points = new ArrayList<>();
      for (int hops = 1; hops <= 6; hops++) {
        Cell cell = cell(cells, "line", protection, hops, size);
        points.add(new Plot.Point(hops, cell.millis() + ciphers));
      }
      lines.add(new Plot.Line(protection, points));
    }
    return new Plot(file, "Response time of an echo of " + size + " octets", "hops", "ms", lines);
  }
}
