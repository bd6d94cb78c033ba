package dev.vigil.gateway.alarms.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
