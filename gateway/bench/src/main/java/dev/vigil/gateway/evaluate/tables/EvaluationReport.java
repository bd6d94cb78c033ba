package dev.vigil.gateway.evaluate.tables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Writes evaluation.md with its plots, and evaluation.json. */
public record EvaluationReport(List<Table> tables, List<String> absent) {
  /** The rows with a condition that does not hold. */
  public long notMet() {
    return tables.stream()
        .flatMap(table -> table.rows().stream())
        .filter(row -> Boolean.FALSE.equals(row.met()))
        .count();
  }

  public void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    StringBuilder text = new StringBuilder("# The papers' tables, theirs and ours\n");
    text.append("\nMade by `./vigil evaluate`; what the tables mean: docs/evaluation.md.\n");
    for (Table table : tables) {
      text.append(table.markdown());
      for (Plot plot : table.plots()) {
        Files.writeString(folder.resolve(plot.file()), plot.svg());
      }
    }
    if (!absent.isEmpty()) {
      text.append("\n## Not made\n\n");
      absent.forEach(line -> text.append("- ").append(line).append('\n'));
    }
    Files.writeString(folder.resolve("evaluation.md"), text);
    var rows =
        tables.stream()
            .flatMap(table -> table.rows().stream().map(row -> row.json(table.name())))
            .toList();
    Files.writeString(
        folder.resolve("evaluation.json"),
        JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(rows) + "\n");
  }
}
