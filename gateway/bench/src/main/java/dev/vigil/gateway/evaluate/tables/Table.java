package dev.vigil.gateway.evaluate.tables;

import java.util.List;

/**
 * A table of a paper.
 *
 * @param name of {@code --only}, for instance {@code alharby-5}
 * @param plots beside it
 */
public record Table(String name, String title, List<Row> rows, List<Plot> plots) {
  public Table(String name, String title, List<Row> rows) {
    this(name, title, rows, List.of());
  }

  /** The rows in columns, for a terminal. */
  public String text() {
    int width = rows.stream().mapToInt(row -> row.row().length()).max().orElse(0);
    StringBuilder text = new StringBuilder("\n" + name + ": " + title + "\n");
    String form = "  %-" + Math.max(width, 3) + "s %10s %10s  %-6s %-22s %-8s %s%n";
    text.append(form.formatted("row", "theirs", "ours", "unit", "must", "", "how"));
    for (Row row : rows) {
      text.append(
          form.formatted(
              row.row(),
              Row.number(row.theirs()),
              Row.number(row.ours()),
              row.unit(),
              row.must(),
              row.metText(),
              row.how().label));
    }
    return text.toString();
  }

  /** The rows and links to the plots, in Markdown. */
  String markdown() {
    StringBuilder text = new StringBuilder("\n## " + name + ": " + title + "\n\n");
    text.append("| row | theirs | ours | unit | must | | how |\n");
    text.append("| --- | ---: | ---: | --- | --- | --- | --- |\n");
    for (Row row : rows) {
      text.append(
          "| %s | %s | %s | %s | %s | %s | %s |%n"
              .formatted(
                  row.row(),
                  Row.number(row.theirs()),
                  Row.number(row.ours()),
                  row.unit(),
                  row.must(),
                  row.metText(),
                  row.how().label));
    }
    for (Plot plot : plots) {
      text.append("\n![%s](%s)%n".formatted(plot.title(), plot.file()));
    }
    return text.toString();
  }
}
