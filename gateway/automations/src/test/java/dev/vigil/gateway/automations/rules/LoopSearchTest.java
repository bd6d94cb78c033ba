package dev.vigil.gateway.automations.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoopSearchTest {
  private static Automation automation(String d, String reads, String commands) {
    return new Automation(
        "x",
        d,
        false,
        Match.ALL,
        List.of(
            new AutomationCondition(
                ConditionKind.VALUE, "mote", reads, null, null, 1.0, null, 0, null, null)),
        null,
        0,
        60,
        60,
        List.of(
            new AutomationAction(
                ActionKind.COMMAND, "mote", commands, 1, null, null, null, null, null)),
        "operator",
        null,
        Instant.EPOCH);
  }

  @Test
  void anAutomationThatReadsWhatItCommandsIsALoop() {
    assertThat(new LoopSearch(Map.of("a", automation("", "led", "led"))).through("a"))
        .containsExactly(new LoopSearch.Step("a", "mote", "led"));
  }

  @Test
  void aLoopThroughSeveralNamesEachStep() {
    Map<String, Automation> all =
        Map.of(
            "a", automation("", "temp", "fan"),
            "b", automation("", "fan", "led"),
            "c", automation("", "led", "temp"),
            "d", automation("", "fan", "other"));
    List<LoopSearch.Step> loop = new LoopSearch(all).through("a");
    assertThat(loop)
        .containsExactly(
            new LoopSearch.Step("a", "mote", "fan"),
            new LoopSearch.Step("b", "mote", "led"),
            new LoopSearch.Step("c", "mote", "temp"));
    assertThat(LoopSearch.words(loop))
        .isEqualTo(
            "a commands fan of mote, b commands led of mote, c commands temp of mote, which starts"
                + " a again");
    assertThat(new LoopSearch(all).through("d")).isEmpty();
  }

  @Test
  void endpointsOfOtherDomainsAreOthers() {
    Map<String, Automation> all =
        Map.of("a", automation("x", "temp", "fan"), "b", automation("y", "fan", "temp"));
    assertThat(new LoopSearch(all).through("a")).isEmpty();
  }
}
