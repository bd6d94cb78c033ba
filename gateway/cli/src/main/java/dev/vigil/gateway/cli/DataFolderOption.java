package dev.vigil.gateway.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option of verbs that work on a data folder. */
public final class DataFolderOption {
  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "${env:VIGIL_DATA_DIR:-data}",
      description = "The data folder (default: $${VIGIL_DATA_DIR}, else ./data).")
  private Path folder = Path.of("data");

  /** The path as given; may be relative. */
  public Path path() {
    return folder;
  }
}
