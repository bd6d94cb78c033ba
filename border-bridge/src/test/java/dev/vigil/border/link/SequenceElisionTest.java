package dev.vigil.border.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SequenceElisionTest {
  private static final SequenceElision WHOLE = new SequenceElision(0, true);

  private static SequenceElision of(long sequence, int octets, boolean known) {
    return SequenceElision.of(OptionalLong.of(sequence), octets, known);
  }

  @Test
  void aNeighbourThatKnowsANumberGetsTheOctetsThatItSendsItself() {
    assertThat(of(0x10007, 1, true)).isEqualTo(new SequenceElision(1, false));
    assertThat(of(0x10007, 2, true)).isEqualTo(new SequenceElision(2, false));
    assertThat(of(7, 1, true)).isEqualTo(new SequenceElision(1, false));
  }

  @Test
  void theNumberIsWholeWhereItsReceiverNeedsIt() {
    assertThat(of(0x10007, 1, false)).isEqualTo(WHOLE);
    assertThat(of(0x10010, 1, true)).isEqualTo(WHOLE);
    assertThat(of(7, 2, true)).as("two octets are the whole number").isEqualTo(WHOLE);
  }

  @Test
  void aPacketThatEndsElsewhereIsNotElided() {
    assertThat(SequenceElision.of(OptionalLong.empty(), 1, true)).isEqualTo(SequenceElision.NONE);
  }
}
