package dev.vigil.border.bridge;

import dev.vigil.border.associations.AssociationSequences;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.link.WholeSequences;
import dev.vigil.border.wire.WireException;
import java.util.OptionalLong;

/** The associations' sequence numbers, for the radios. */
record RadioSequences(AssociationSequences sequences) implements WholeSequences {
  @Override
  public byte[] restore(byte[] ipv6, int lowOctets) throws WireException {
    return sequences.restore(ipv6, lowOctets);
  }

  @Override
  public OptionalLong sent(byte[] ipv6, LinkAddress neighbour) throws WireException {
    return sequences.sent(ipv6, neighbour.interfaceId());
  }
}
