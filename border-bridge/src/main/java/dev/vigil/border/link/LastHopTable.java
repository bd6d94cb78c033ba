package dev.vigil.border.link;

import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import java.util.LinkedHashMap;
import java.util.OptionalLong;

/**
 * The radio neighbour through which each source address was last heard. Limits can thereby count
 * all motes behind a neighbour together. A neighbour is the sender of the frame, not the originator
 * in a mesh header, which is not authenticated.
 *
 * <p>The pipeline thread writes an entry before the packet reaches its receiver; any thread may
 * read. When the table is full, the address that was silent longest is removed. A channel carries
 * about 250 frames per second, so that packets of this address have been served by then.
 */
public final class LastHopTable {
  static final int CAPACITY = 4_096;

  private static final int SOURCE_AT = 8;

  /**
   * Interface identifiers of neighbours by source address; the address that was silent longest
   * comes first.
   */
  private final LinkedHashMap<Ipv6Address, Long> neighbours = new LinkedHashMap<>();

  /**
   * Records the neighbour that a packet came from.
   *
   * @param neighbour the source of its frame; senders without an address count as one
   */
  void heard(byte[] ipv6, LinkAddress neighbour) throws WireException {
    WireReader in = new WireReader(ipv6);
    in.skip(SOURCE_AT);
    Ipv6Address source = Ipv6Address.read(in);
    synchronized (neighbours) {
      neighbours.putLast(source, neighbour.interfaceId());
      if (neighbours.size() > CAPACITY) {
        neighbours.pollFirstEntry();
      }
    }
  }

  /** The interface identifier of the neighbour; empty for an address that was not heard. */
  public OptionalLong neighbourOf(Ipv6Address source) {
    synchronized (neighbours) {
      Long found = neighbours.get(source);
      return found == null ? OptionalLong.empty() : OptionalLong.of(found);
    }
  }
}
