package dev.vigil.gateway.alarms.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Limits and patterns of names. */
class RuleConditionsTest {
  @Test
  void hysteresisKeepsAnAlarmUntilTheValueCameBack() {
    RuleLimits limits = new RuleLimits(30.0, 5.0, 2, null);
    assertThat(limits.isExceededBy(30, false)).isFalse();
    assertThat(limits.isExceededBy(30.1, false)).isTrue();
    assertThat(limits.isExceededBy(28.1, true)).isTrue();
    assertThat(limits.isExceededBy(28, true)).isFalse();
    assertThat(limits.isExceededBy(4.9, false)).isTrue();
    assertThat(limits.isExceededBy(6.9, true)).isTrue();
    assertThat(limits.isExceededBy(7, true)).isFalse();
  }

  @Test
  void aStarInAPatternStandsForAnyCharacters() {
    for (String fits : new String[] {"*", "mote-*", "*-7", "m*-*", "mote-7", "**"}) {
      assertThat(NamePattern.matches(fits, "mote-7")).as(fits).isTrue();
    }
    for (String other : new String[] {"", "mote", "*8", "Mote-*", "mote-7?", "*x*"}) {
      assertThat(NamePattern.matches(other, "mote-7")).as(other).isFalse();
    }
  }

  @Test
  void aRuleWatchesEndpointsThatHaveAllOfItsTags() {
    RuleScope scope = new RuleScope("plant", "mote-*", "*", List.of("boiler", "hall"));
    assertThat(scope.fits("plant", "mote-7", List.of("hall", "old", "boiler"))).isTrue();
    assertThat(scope.fits("plant", "mote-7", List.of("boiler"))).isFalse();
    assertThat(scope.fits("office", "mote-7", scope.tags())).isFalse();
    assertThat(scope.fits("plant", "oven", scope.tags())).isFalse();
    assertThat(RuleScope.ALL.fits("plant", "oven", List.of())).isTrue();
  }

  @Test
  void aRuleThatWasStoredBeforeTagsExistedWatchesAllEndpoints() {
    String stored = "{\"ep\":\"*\",\"path\":\"*\"}";
    RuleScope scope = JsonMapper.builder().build().readValue(stored, RuleScope.class);
    assertThat(scope).isEqualTo(RuleScope.ALL);
  }
}
