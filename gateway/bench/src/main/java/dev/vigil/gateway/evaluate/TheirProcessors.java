package dev.vigil.gateway.evaluate;

import dev.vigil.border.cost.Board;
import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The core's cryptography on the papers' own processors, simulated with their cycles: Bagci's
 * experiments and Alharby's levels on an MSP430F1611, Sethi's signature on an ATmega2560.
 */
final class TheirProcessors implements Experiment {
  private static final Processor TMOTE = Processor.MSP430F1611;
  private static final Processor MEGA = Processor.ATMEGA2560;
  private static final List<Integer> PAYLOADS = List.of(6, 22, 38, 54);

  /** Bagci, figures 4 to 6: milliseconds for a packet with AES in software, by experiment. */
  private static final Map<String, List<Double>> SOFTWARE =
      Map.of(
          "A", List.of(19.1, 25.2, 31.4, 37.6),
          "B", List.of(12.5, 15.0, 17.6, 20.2),
          "C", List.of(15.3, 17.9, 20.4, 23.0));

  /** The same with AES in the radio. */
  private static final Map<String, List<Double>> HARDWARE =
      Map.of(
          "A", List.of(11.8, 14.5, 17.1, 19.7),
          "B", List.of(9.3, 10.7, 12.1, 13.5),
          "C", List.of(10.0, 11.4, 12.8, 14.2));

  /** Bagci, figure 7: percent below A. */
  private static final List<Double> D = List.of(57.5, 64.1, 68.3, 71.0);

  private static final String TABLES = "table-based";
  private static final String CACHED = TABLES + Instructions.SUBKEYS;

  /** Alharby, tables V and VI: the processor's energy for a packet at each level. */
  private static final List<Double> LEVELS_24 =
      List.of(9.53, 24.01, 24.15, 24.32, 28.95, 28.5, 29.11, 29.33);

  private static final List<Double> LEVELS_80 =
      List.of(11.93, 35.92, 36.2, 36.49, 51.26, 51.35, 51.65, 51.68);

  private static final double SETHI_SIGNING = 987;
  private static final double SETHI_REGISTERING = 2030;

  private final EmulatedMotes motes;

  TheirProcessors(EmulatedMotes motes) {
    this.motes = motes;
  }

  @Override
  public List<String> tables() {
    return List.of("processors", "bagci-tmote", "alharby-tmote", "sethi-atmega");
  }

  @Override
  public boolean isQuick() {
    return false;
  }

  @Override
  public List<Table> run() throws IOException, InterruptedException {
    return List.of(processors(), bagci(), alharby(), sethi());
  }

  private Table processors() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (String driver : List.of("constant-time", Instructions.PAIRS, "table-based", "hardware")) {
      for (Processor processor : Processor.values()) {
        for (String what : List.of("ESP seal", "ESP open")) {
          boolean counted = processor == Processor.CORTEX_M3;
          rows.add(
              Row.beside(
                  "%s, 64 B, %s, %s".formatted(what, driver, processor.label),
                  null,
                  motes.cost(processor, "ipsec", driver, what, 64),
                  counted ? "instr." : "cycles",
                  counted ? How.EMULATED : How.SIMULATED));
        }
      }
    }
    for (String hash : List.of("SHA-1", "SHA-256")) {
      double cycles = motes.cost(MEGA, "hash", "all", hash, 64);
      rows.add(Row.beside(hash + ", 64 B, " + MEGA.label, null, cycles, "cycles", How.SIMULATED));
    }
    return new Table("processors", "the core's cryptography on three processors", rows);
  }

  private double packet(String mode, String driver, int payload)
      throws IOException, InterruptedException {
    return TMOTE.millis(motes.cost(TMOTE, "block-store", driver, mode, payload));
  }

  private Table bagci() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < PAYLOADS.size(); i++) {
      for (String mode : List.of("A", "B", "C")) {
        for (String driver : List.of(TABLES, CACHED, Instructions.PAIRS)) {
          rows.add(time(mode, i, driver, theirs(SOFTWARE, mode, i)));
        }
        rows.add(time(mode, i, "hardware", theirs(HARDWARE, mode, i)));
      }
      double before = theirs(SOFTWARE, "A", i);
      rows.add(saving("B", i, CACHED, saved(theirs(SOFTWARE, "B", i), before)));
      rows.add(saving("C", i, CACHED, saved(theirs(SOFTWARE, "C", i), before)));
      rows.add(saving("D", i, TABLES, D.get(i)));
    }
    return new Table(
        "bagci-tmote",
        "the experiments A to D on an MSP430F1611 at 3.9 MHz; theirs also reads flash; hardware of"
            + " ours is AES that costs nothing",
        rows);
  }

  private static double theirs(Map<String, List<Double>> times, String mode, int payload) {
    return Objects.requireNonNull(times.get(mode)).get(payload);
  }

  private static double saved(double after, double before) {
    return 100 * (1 - after / before);
  }

  private Row time(String mode, int payload, String driver, double theirs)
      throws IOException, InterruptedException {
    return Row.beside(
        "%s, %d B, %s".formatted(mode, PAYLOADS.get(payload), driver),
        theirs,
        packet(mode, driver, PAYLOADS.get(payload)),
        "ms",
        How.SIMULATED);
  }

  private Row saving(String mode, int payload, String driver, double theirs)
      throws IOException, InterruptedException {
    int octets = PAYLOADS.get(payload);
    double ours = saved(packet(mode, driver, octets), packet("A", driver, octets));
    String name = "%s, %d B, %s: below A".formatted(mode, octets, driver);
    return Row.atLeast(name, theirs, ours, "%", theirs, How.SIMULATED);
  }

  private Table alharby() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (String driver : List.of("table-based", "constant-time", "hardware")) {
      for (int level = 0; level < LEVELS_24.size(); level++) {
        rows.add(energy(driver, level, 24, LEVELS_24.get(level)));
        rows.add(energy(driver, level, 80, LEVELS_80.get(level)));
      }
    }
    return new Table(
        "alharby-tmote",
        "the processor's energy to seal a frame on an MSP430F1611 at 3.9 MHz; theirs includes the"
            + " operating system",
        rows);
  }

  private Row energy(String driver, int level, int payload, double theirs)
      throws IOException, InterruptedException {
    double millis =
        TMOTE.millis(motes.cost(TMOTE, "frame", driver, "level " + level + " seal", payload));
    return Row.beside(
        "level %d, %d B, %s".formatted(level, payload, driver),
        theirs,
        Board.TMOTE_SKY.microjoules(new Board.Work(0, 0, millis)),
        "µJ",
        How.SIMULATED);
  }

  private Table sethi() throws IOException, InterruptedException {
    double keyPair = MEGA.millis(motes.cost(MEGA, "signature", "P-256", "key pair", 0));
    double sign = MEGA.millis(motes.cost(MEGA, "signature", "P-256", "sign", 0));
    double verify = MEGA.millis(motes.cost(MEGA, "signature", "P-256", "verify", 0));
    return new Table(
        "sethi-atmega",
        "P-256 on an ATmega2560 at 16 MHz, 128-bit security; theirs has 80-bit security and also"
            + " sends",
        List.of(
            Row.atMost(
                "a signature; theirs with sending",
                SETHI_SIGNING,
                sign,
                "ms",
                SETHI_SIGNING,
                How.SIMULATED),
            Row.atMost(
                "a key pair; theirs with the registration and its acknowledgement",
                SETHI_REGISTERING,
                keyPair,
                "ms",
                SETHI_REGISTERING,
                How.SIMULATED),
            Row.beside("verifying a signature", null, verify, "ms", How.SIMULATED)));
  }
}
