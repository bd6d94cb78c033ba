package dev.vigil.border.sixlowpan;

/**
 * The forms in which a neighbour receives one packet.
 *
 * @param nhc the compressed headers that it reads
 * @param contextsKnown whether it knows the contexts; otherwise addresses that need one are sent in
 *     full
 * @param lowOctets the octets to send of the sequence number of the outermost AH or ESP, 1 or 2; 0
 *     for the whole number. Only the end of the association can restore the others
 */
public record NeighbourForms(NhcSupport nhc, boolean contextsKnown, int lowOctets) {
  public NeighbourForms {
    if (lowOctets < 0 || lowOctets > 2) {
      throw new IllegalArgumentException(
          "a sequence number has 1 or 2 octets, or 0 if it is whole");
    }
  }

  /** A neighbour that knows the contexts and receives whole sequence numbers. */
  static NeighbourForms whole(NhcSupport nhc) {
    return new NeighbourForms(nhc, true, 0);
  }
}
