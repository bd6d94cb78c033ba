package dev.vigil.gateway.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class GrowthReportTest {
  @TempDir private Path folder;

  private static GrowthReport report() {
    Curve.Collector collector = new Curve.Collector();
    collector.put(
        Curve.Kind.LOOKUP, 1_000_000, List.of(new Figure.Round(24, 20), new Figure.Round(26, 20)));
    collector.put(Curve.Kind.RESTART, 1000, List.of(Figure.Round.of(0.9)));
    collector.put(Curve.Kind.RESTART, 1_000_000, List.of(Figure.Round.of(31)));
    return new GrowthReport(collector.curves(1000));
  }

  @Test
  void theTableHasARowForEachFigure() {
    assertThat(report().table())
        .isEqualTo(
            """
            | figure | 1 000 | 1 000 000 | rise | target | met |
            | --- | --- | --- | --- | --- | --- |
            | `rd.lookup_us` | 20.0 us | 25.0 us | 1.25 | <=1.50 | met |
            | `restart.recover` | 0.90 s | 31.0 s | 34.4 | - | - |
            """);
  }

  @Test
  void tableAndPlotAreNextToTheRounds() throws IOException {
    report().write(folder.resolve("growth.json"));
    JsonNode json = JsonMapper.shared().readTree(folder.resolve("growth.json").toFile());
    assertThat(json.at("/rd.lookup_us/values/1000000").asDouble()).isEqualTo(25);
    assertThat(json.at("/rd.lookup_us/rounds/1/0/1").asDouble()).isEqualTo(20);
    assertThat(folder.resolve("growth.md")).content().isEqualTo(report().table());
    assertThat(Files.readString(folder.resolve("growth.svg")))
        .contains("rd.lookup_us (us)", "restart.recover (s)");
  }

  @Test
  void aReportWithoutFiguresIsWritten() throws IOException {
    new GrowthReport(List.of()).write(folder.resolve("growth.json"));
    assertThat(folder.resolve("growth.svg")).content().contains("</svg>");
  }
}
