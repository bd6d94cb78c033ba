package dev.vigil.border.link;

import java.util.OptionalLong;

/**
 * How much of a sequence number a packet carries (docs/protocol.md section 9.1).
 *
 * @param lowOctets 1 or 2; 0 for the whole number
 * @param wholeSequence whether the packet carries a whole number from which its receiver can
 *     restore later numbers
 */
record SequenceElision(int lowOctets, boolean wholeSequence) {
  /** The number is whole and helps nobody to restore others. */
  static final SequenceElision NONE = new SequenceElision(0, false);

  /** Numbers that this divides are always whole. */
  private static final int WHOLE_EVERY = 16;

  private static final int WHOLE_IN_TWO_OCTETS = 0xffff;

  /**
   * @param sequence the number; empty if the packet does not end at the neighbour
   * @param octets that the neighbour uses itself, 1 or 2
   * @param known whether the neighbour knows a recent whole number
   */
  static SequenceElision of(OptionalLong sequence, int octets, boolean known) {
    if (sequence.isEmpty()) {
      return NONE;
    }
    long number = sequence.getAsLong();
    boolean isShort = octets == 2 && number <= WHOLE_IN_TWO_OCTETS;
    boolean whole = !known || isShort || number % WHOLE_EVERY == 0;
    return new SequenceElision(whole ? 0 : octets, whole);
  }
}
