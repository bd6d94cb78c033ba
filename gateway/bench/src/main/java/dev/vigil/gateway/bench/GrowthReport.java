package dev.vigil.gateway.bench;

import static java.util.stream.Collectors.joining;

import dev.vigil.gateway.evaluate.tables.Plot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Curves as JSON, as a table in Markdown and as a plot; all three files have the same name. */
record GrowthReport(List<Curve> curves) {
  void write(Path json) throws IOException {
    Map<String, Object> report = new LinkedHashMap<>();
    curves.forEach(curve -> report.put(curve.kind().label, curve.json()));
    Files.writeString(json, JsonMapper.shared().writeValueAsString(report) + "\n");
    String name = json.getFileName().toString().replaceFirst("\\.json$", "");
    Files.writeString(json.resolveSibling(name + ".md"), table());
    Files.writeString(json.resolveSibling(name + ".svg"), plot().svg());
  }

  String table() {
    List<Integer> sizes =
        curves.stream()
            .map(curve -> curve.points().stream().map(Curve.Point::endpoints).toList())
            .findFirst()
            .orElse(List.of());
    String names = sizes.stream().map(GrowthReport::spaced).collect(joining(" | "));
    StringBuilder table = new StringBuilder();
    table.append("| figure | %s | rise | target | met |%n".formatted(names));
    table.append("| --- ".repeat(sizes.size() + 4)).append("|\n");
    for (Curve curve : curves) {
      Stream<String> values =
          curve.points().stream().map(point -> spaced(point.value(), curve.kind().unit));
      Stream<String> verdict =
          Stream.of(Figure.number(curve.rise()), curve.target(), curve.verdict());
      table.append(
          "| `%s` | %s |%n"
              .formatted(
                  curve.kind().label, Stream.concat(values, verdict).collect(joining(" | "))));
    }
    return table.toString();
  }

  private static String spaced(int count) {
    return String.format(Locale.ROOT, "%,d", count).replace(',', ' ');
  }

  private static String spaced(double value, String unit) {
    return Figure.number(value) + " " + unit;
  }

  Plot plot() {
    List<Plot.Line> lines =
        curves.stream()
            .map(
                curve ->
                    new Plot.Line(
                        "%s (%s)".formatted(curve.kind().label, curve.kind().unit),
                        curve.points().stream()
                            .map(point -> new Plot.Point(point.endpoints(), point.value()))
                            .toList()))
            .toList();
    return new Plot(
        "growth.svg",
        "Figures by the number of endpoints",
        "endpoints",
        "value in the unit of its line",
        Plot.Scale.LOGARITHMIC,
        lines);
  }
}
