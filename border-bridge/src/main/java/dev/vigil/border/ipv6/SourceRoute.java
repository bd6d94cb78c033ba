package dev.vigil.border.ipv6;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * RPL's source routing header (RFC 6554, section 3). Leading octets that an address shares with the
 * packet's destination are elided.
 *
 * @param segmentsLeft the number of addresses still to be visited
 * @param elidedIntermediate elided octets of all addresses but the last, 0 to 15
 * @param elidedLast elided octets of the last address, 0 to 15
 * @param addresses in full
 */
public record SourceRoute(
    int segmentsLeft, int elidedIntermediate, int elidedLast, List<Ipv6Address> addresses) {
  /** The routing type. */
  public static final int TYPE = 3;

  /** CmprI and CmprE have four bits. */
  private static final int MOST_ELIDED = 15;

  private static final int RESERVED = 0xfffff;

  public SourceRoute {
    addresses = List.copyOf(addresses);
    if (segmentsLeft > addresses.size()) {
      throw new IllegalArgumentException("more segments left than addresses");
    }
  }

  /**
   * An unused route. It elides the octets that all addresses and the destination share, because
   * every router reads the elided octets from its own destination address.
   *
   * @param destination of the packet that carries the header
   */
  public static SourceRoute through(Ipv6Address destination, List<Ipv6Address> addresses) {
    int shared = MOST_ELIDED;
    for (Ipv6Address address : addresses) {
      shared = Math.min(shared, sharedOctets(destination, address));
    }
    return new SourceRoute(addresses.size(), shared, shared, addresses);
  }

  private static int sharedOctets(Ipv6Address one, Ipv6Address other) {
    int high = Long.numberOfLeadingZeros(one.high() ^ other.high());
    int low = Long.numberOfLeadingZeros(one.low() ^ other.low());
    return (high < Long.SIZE ? high : high + low) / Byte.SIZE;
  }

  /**
   * @param destination of the packet that carries the header
   * @throws WireException {@link Drop#ROUTING_HEADER} if the type differs, the lengths are
   *     inconsistent, or an address is multicast
   */
  public static SourceRoute parse(ExtensionHeader.Routing header, Ipv6Address destination)
      throws WireException {
    if (header.type() != TYPE) {
      throw new WireException(Drop.ROUTING_HEADER, "routing type " + header.type());
    }
    WireReader in = new WireReader(header.data());
    long fields = in.u32();
    int elidedIntermediate = (int) (fields >>> 28);
    int elidedLast = (int) (fields >>> 24) & 15;
    int pad = (int) (fields >>> 20) & 15;
    if ((fields & RESERVED) != 0) {
      throw new WireException(Drop.ROUTING_HEADER, "reserved bits");
    }
    int octets = in.remaining() - pad;
    List<Ipv6Address> addresses = new ArrayList<>();
    if (octets > 0) {
      int intermediate = Ipv6Address.LENGTH - elidedIntermediate;
      int last = Ipv6Address.LENGTH - elidedLast;
      if (octets < last || (octets - last) % intermediate != 0) {
        throw new WireException(Drop.ROUTING_HEADER, "addresses do not fit");
      }
      while (in.remaining() - pad > last) {
        addresses.add(address(in, elidedIntermediate, destination));
      }
      addresses.add(address(in, elidedLast, destination));
    }
    if (octets < 0 || header.segmentsLeft() > addresses.size()) {
      throw new WireException(Drop.ROUTING_HEADER, "segments left");
    }
    return new SourceRoute(header.segmentsLeft(), elidedIntermediate, elidedLast, addresses);
  }

  /** The header, padded to units of eight octets. */
  public ExtensionHeader.Routing header() {
    WireWriter list = new WireWriter();
    for (int i = 0; i < addresses.size(); i++) {
      int elided = i + 1 == addresses.size() ? elidedLast : elidedIntermediate;
      Ipv6Address address = addresses.get(i);
      for (int octet = elided; octet < Ipv6Address.LENGTH; octet++) {
        long half = octet < 8 ? address.high() : address.low();
        list.u8((int) (half >>> 56 - 8 * (octet % 8)));
      }
    }
    int pad = -list.size() & 7;
    WireWriter data = new WireWriter(4 + list.size() + pad);
    data.u32((long) elidedIntermediate << 28 | (long) elidedLast << 24 | (long) pad << 20);
    data.bytes(list.toBytes()).zeros(pad);
    return new ExtensionHeader.Routing(TYPE, segmentsLeft, data.toBytes());
  }

  private static Ipv6Address address(WireReader in, int elided, Ipv6Address destination)
      throws WireException {
    long high = 0;
    long low = 0;
    for (int octet = elided; octet < Ipv6Address.LENGTH; octet++) {
      long value = (long) in.u8() << 56 - 8 * (octet % 8);
      if (octet < 8) {
        high |= value;
      } else {
        low |= value;
      }
    }
    Ipv6Address address = destination.prefixOf(8 * elided, new Ipv6Address(high, low));
    if (address.isMulticast()) {
      throw new WireException(Drop.ROUTING_HEADER, "multicast address");
    }
    return address;
  }
}
