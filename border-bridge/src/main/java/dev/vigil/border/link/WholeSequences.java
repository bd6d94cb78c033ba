package dev.vigil.border.link;

import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.wire.WireException;
import java.util.OptionalLong;

/** Sequence numbers of the associations that end at this host. */
public interface WholeSequences {
  /**
   * A packet with the whole sequence number of its outermost AH or ESP.
   *
   * @param lowOctets the octets of the number that it has, 1 or 2
   */
  byte[] restore(byte[] ipv6, int lowOctets) throws WireException;

  /**
   * The sequence number of the outermost AH or ESP of a packet; empty unless it is sent under an
   * association of this host with the neighbour.
   */
  OptionalLong sent(byte[] ipv6, LinkAddress neighbour) throws WireException;
}
