package dev.vigil.gateway.evaluate.tables;

import java.util.List;

/** Tables that are made together. */
public interface Experiment {
  /** The names of its tables, in the order of the report. */
  List<String> tables();

  /** Whether it takes only seconds and needs no cross-compiler and no emulator. */
  boolean isQuick();

  /**
   * @throws Exception if a table cannot be made; its message is shown
   */
  List<Table> run() throws Exception;
}
