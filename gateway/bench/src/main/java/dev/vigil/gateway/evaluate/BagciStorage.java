package dev.vigil.gateway.evaluate;

import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Bagci 2013, figure 3: octets that a block takes in the store's file in addition to its payload.
 */
final class BagciStorage implements Experiment {
  private final EmulatedMotes motes;

  BagciStorage(EmulatedMotes motes) {
    this.motes = motes;
  }

  @Override
  public List<String> tables() {
    return List.of("bagci-3");
  }

  @Override
  public boolean isQuick() {
    return true;
  }

  @Override
  public List<Table> run() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    // payload, whether with ICV, octets of text and ICV found in the file, distance of two blocks
    for (String line : motes.host("build/evaluate/storage")) {
      String[] fields = line.split("\t");
      int payload = Integer.parseInt(fields[0]);
      boolean icv = fields[1].equals("1");
      int overhead = Integer.parseInt(fields[2]) - payload;
      String name = payload + (icv ? " B with ICV" : " B");
      rows.add(Row.equal(name, icv ? 22 : 10, overhead, "B", How.COUNTED));
      rows.add(
          Row.beside(
              "  with time index and commit octet",
              null,
              Integer.parseInt(fields[3]) - payload,
              "B",
              How.COUNTED));
      if (payload == 54 && icv) {
        rows.add(
            Row.within("  of the payload", 40.7, 100.0 * overhead / payload, "%", 1, How.COUNTED));
      }
    }
    return List.of(new Table("bagci-3", "storage overhead of a block, in the store's file", rows));
  }
}
