package dev.vigil.border.associations;

import dev.vigil.border.ipsec.IpsecHeaders;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Sequence numbers of AH and ESP on the air (docs/protocol.md section 9.1). Belongs to the pipeline
 * thread.
 */
public final class AssociationSequences {
  private final SecurityAssociations associations;

  public AssociationSequences(SecurityAssociations associations) {
    this.associations = associations;
  }

  /**
   * Restores the sequence number of the outermost AH or ESP of a packet to this host.
   *
   * @param lowOctets the octets of the number that the packet has, 1 or 2
   * @throws WireException with {@link Drop#SA_UNKNOWN} for a packet of no association
   */
  public byte[] restore(byte[] ipv6, int lowOctets) throws WireException {
    Ipv6Packet packet = Ipv6Packet.parse(ipv6);
    RunningAssociation outermost = outermost(packet, packet.destination());
    OptionalLong low = IpsecHeaders.outermostSequence(packet);
    if (outermost == null || low.isEmpty()) {
      throw new WireException(Drop.SA_UNKNOWN);
    }
    long whole = outermost.wholeSequence((int) low.getAsLong(), lowOctets);
    return IpsecHeaders.withOutermostSequence(packet, whole).encode();
  }

  /**
   * The sequence number of the outermost AH or ESP of a packet; empty unless this host sends it
   * under an association.
   *
   * @param endId the interface identifier of the node at which the association must end
   */
  public OptionalLong sent(byte[] ipv6, long endId) throws WireException {
    Ipv6Packet packet = Ipv6Packet.parse(ipv6);
    Ipv6Address end = packet.finalDestination();
    RunningAssociation outermost = end.low() == endId ? outermost(packet, end) : null;
    return outermost == null || outermost.receives()
        ? OptionalLong.empty()
        : IpsecHeaders.outermostSequence(packet);
  }

  private @Nullable RunningAssociation outermost(Ipv6Packet packet, Ipv6Address destination)
      throws WireException {
    IpsecHeaders headers = IpsecHeaders.of(packet);
    OptionalInt ah = headers.ah();
    OptionalInt spi = ah.isPresent() ? ah : headers.esp();
    return spi.isEmpty()
        ? null
        : associations.find(
            destination, ah.isPresent() ? Protocol.AH : Protocol.ESP, spi.getAsInt());
  }
}
