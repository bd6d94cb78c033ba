package dev.vigil.gateway.evaluate;

import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Bagci 2013, figures 4 to 7: the work from finding a stored block to its finished packet, in the
 * experiments A to D, on a Cortex-M3. Savings are relative to A with AES in software. {@link
 * TheirProcessors} has the same on their processor.
 */
final class BagciExperiments implements Experiment {
  private static final List<Integer> PAYLOADS = List.of(6, 22, 38, 54);
  private static final List<Double> B = List.of(34.6, 40.4, 43.9, 46.3);
  private static final List<Double> C = List.of(20.1, 29.1, 35.1, 38.9);
  private static final List<Double> D = List.of(57.5, 64.1, 68.3, 71.0);

  /** Experiment A with hardware, against A in software. */
  private static final List<Double> HARDWARE = List.of(38.1, 42.6, 45.5, 47.5);

  private final EmulatedMotes motes;

  BagciExperiments(EmulatedMotes motes) {
    this.motes = motes;
  }

  @Override
  public List<String> tables() {
    return List.of("bagci-4", "bagci-5", "bagci-6", "bagci-7");
  }

  @Override
  public boolean isQuick() {
    return false;
  }

  @Override
  public List<Table> run() throws IOException, InterruptedException {
    List<Row> hardware = new ArrayList<>();
    for (int i = 0; i < PAYLOADS.size(); i++) {
      int payload = PAYLOADS.get(i);
      for (String driver : Instructions.DRIVERS) {
        hardware.add(
            Row.beside(
                "A, " + payload + " B, " + driver,
                null,
                motes.instructions("block-store", driver, "A", payload),
                "instr.",
                How.EMULATED));
      }
      double software = motes.instructions("block-store", "table-based", "A", payload);
      double free = motes.instructions("block-store", "hardware", "A", payload);
      hardware.add(
          Row.beside(
              "A, %d B: saved by AES that costs nothing".formatted(payload),
              HARDWARE.get(i),
              (1 - free / software) * 100,
              "%",
              How.EMULATED));
    }
    return List.of(
        new Table("bagci-4", "experiment A on a Cortex-M3: decrypted and sealed again", hardware),
        table("bagci-5", "B", "stored ciphertext, ICV at sending", B, Instructions.SUBKEYS),
        table("bagci-6", "C", "as B for another requester", C, Instructions.SUBKEYS),
        table("bagci-7", "D", "stored ciphertext and ICV", D, ""));
  }

  /**
   * @param cache what associations keep in the rows with a condition; the others are compared
   */
  private Table table(String name, String mode, String title, List<Double> theirs, String cache)
      throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < PAYLOADS.size(); i++) {
      for (String driver : List.of("constant-time", "table-based")) {
        for (String kept : List.of("", Instructions.SUBKEYS)) {
          rows.add(saving(mode, PAYLOADS.get(i), driver + kept, theirs.get(i), kept.equals(cache)));
        }
      }
      rows.add(saving(mode, PAYLOADS.get(i), Instructions.PAIRS, theirs.get(i), false));
    }
    return new Table(
        name, "experiment " + mode + " on a Cortex-M3: " + title + ", saved against A", rows);
  }

  private Row saving(String mode, int payload, String driver, double theirs, boolean must)
      throws IOException, InterruptedException {
    double before = motes.instructions("block-store", driver, "A", payload);
    double after = motes.instructions("block-store", driver, mode, payload);
    String name = "%s, %d B, %s".formatted(mode, payload, driver);
    double saved = (1 - after / before) * 100;
    return must
        ? Row.atLeast(name, theirs, saved, "%", theirs, How.EMULATED)
        : Row.beside(name, theirs, saved, "%", How.EMULATED);
  }
}
