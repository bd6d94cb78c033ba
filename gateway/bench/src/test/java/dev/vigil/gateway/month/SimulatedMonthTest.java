package dev.vigil.gateway.month;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.mirror.read.Freshness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedMonthTest {
  private static final Path PROGRAM =
      Path.of(System.getProperty("vigil.vectors", ".")).resolve("../build/evaluate/month");

  @TempDir private Path folder;

  @BeforeAll
  static void requiresTheMotes() {
    Assumptions.assumeTrue(
        Files.exists(PROGRAM), "no motes: run make build/evaluate/month in mote-firmware");
  }

  @Test
  void keepsEveryReadingOfAQuietDay() throws Exception {
    MotePlan plan =
        new MotePlan(
            2, "mote-2", "", 300_000, 500, 1, 2, true, true, false, false, false, null, null);
    try (Month month = new Month(PROGRAM, folder, 1, List.of(plan))) {
      month.powerOn(plan.id());
      month.run(Duration.ofDays(1));
      month.check();
      assertThat(month.ledger(plan.id()).updates()).isEqualTo(576);
      assertThat(month.endpoint(plan).orElseThrow().freshness()).isEqualTo(Freshness.ON_TIME);
    }
  }
}
