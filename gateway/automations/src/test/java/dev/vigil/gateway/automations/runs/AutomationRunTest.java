package dev.vigil.gateway.automations.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AutomationRunTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private static AutomationRun run(Instant at) {
    return new AutomationRun("fan", 1, at, "", List.of(), List.of());
  }

  @Test
  void runsOfTheSameNumberSendDifferentEvents() {
    AutomationRun run = run(NOON);
    assertThat(run.eventId(0)).isEqualTo("automation.fan.1772366400000.1.0");
    assertThat(run.with(List.of()).eventId(0)).as("a repetition").isEqualTo(run.eventId(0));
    assertThat(run.eventId(1)).as("another action").isNotEqualTo(run.eventId(0));
    assertThat(run(NOON.plusMillis(1)).eventId(0))
        .as("the first run of an automation that was made again")
        .isNotEqualTo(run.eventId(0));
  }
}
