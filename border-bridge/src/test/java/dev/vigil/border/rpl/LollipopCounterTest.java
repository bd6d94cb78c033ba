package dev.vigil.border.rpl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The examples are those of RFC 6550, section 7.2. */
class LollipopCounterTest {
  @Test
  void aRestartedCounterIsOlderUnlessItIsClose() {
    assertThat(LollipopCounter.isNewer(5, 240)).isFalse();
    assertThat(LollipopCounter.isNewer(240, 5)).isTrue();
    assertThat(LollipopCounter.isNewer(250, 5)).isFalse();
    assertThat(LollipopCounter.isNewer(5, 250)).isTrue();
  }

  @Test
  void aCounterFollowsItsPredecessorsInTheWindow() {
    for (int value = 0; value < 256; value++) {
      int later = value;
      for (int steps = 1; steps <= 16; steps++) {
        later = LollipopCounter.next(later);
        assertThat(LollipopCounter.follows(later, value)).isTrue();
        assertThat(LollipopCounter.follows(value, later)).isFalse();
      }
      assertThat(LollipopCounter.follows(LollipopCounter.next(later), value)).isFalse();
      assertThat(LollipopCounter.follows(value, value)).isFalse();
    }
  }

  @Test
  void theLinearRegionLeadsIntoTheCircularOne() {
    assertThat(LollipopCounter.next(240)).isEqualTo(241);
    assertThat(LollipopCounter.next(255)).isEqualTo(0);
    assertThat(LollipopCounter.next(127)).isEqualTo(0);
  }

  @Test
  void eachCounterIsNewerThanItsPredecessorOnly() {
    for (int value = 0; value < 256; value++) {
      assertThat(LollipopCounter.isNewer(LollipopCounter.next(value), value)).isTrue();
      assertThat(LollipopCounter.isNewer(value, LollipopCounter.next(value))).isFalse();
      assertThat(LollipopCounter.isNewer(value, value)).isFalse();
    }
  }
}
