package dev.vigil.border.rpl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The examples are those of RFC 6550, section 7.2. */
class LollipopTest {
  @Test
  void aCounterThatStartedAfreshIsOlderThanOneOfTheCircleUnlessCloseToIt() {
    assertThat(Lollipop.isNewer(5, 240)).isFalse();
    assertThat(Lollipop.isNewer(240, 5)).isTrue();
    assertThat(Lollipop.isNewer(250, 5)).isFalse();
    assertThat(Lollipop.isNewer(5, 250)).isTrue();
  }

  @Test
  void theStraightPartLeadsIntoTheCircleWhichClosesOnItself() {
    assertThat(Lollipop.next(240)).isEqualTo(241);
    assertThat(Lollipop.next(255)).isEqualTo(0);
    assertThat(Lollipop.next(127)).isEqualTo(0);
  }

  @Test
  void eachCounterIsNewerThanItsPredecessorAndNotTheOtherWayRound() {
    for (int value = 0; value < 256; value++) {
      assertThat(Lollipop.isNewer(Lollipop.next(value), value)).isTrue();
      assertThat(Lollipop.isNewer(value, Lollipop.next(value))).isFalse();
      assertThat(Lollipop.isNewer(value, value)).isFalse();
    }
  }
}
