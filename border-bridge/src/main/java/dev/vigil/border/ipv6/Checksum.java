package dev.vigil.border.ipv6;

import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;

/** The Internet checksum (RFC 1071) with IPv6's pseudo-header (RFC 8200, section 8.1). */
public final class Checksum {
  private Checksum() {}

  /**
   * The checksum of an upper-layer message; 0 if the message contains its correct checksum.
   *
   * @param destination the final one, if a source route has segments left
   */
  public static int of(Ipv6Address source, Ipv6Address destination, int protocol, byte[] message) {
    long sum = sum(source) + sum(destination) + message.length + protocol + sum(message);
    while (sum >>> 16 != 0) {
      sum = (sum & 0xffff) + (sum >>> 16);
    }
    return (int) ~sum & 0xffff;
  }

  private static long sum(Ipv6Address address) {
    return sum(address.high()) + sum(address.low());
  }

  private static long sum(long value) {
    return (value >>> 48) + (value >>> 32 & 0xffff) + (value >>> 16 & 0xffff) + (value & 0xffff);
  }

  private static long sum(byte[] message) {
    WireReader in = new WireReader(message);
    long sum = 0;
    try {
      while (in.remaining() >= 2) {
        sum += in.u16();
      }
      return in.isEmpty() ? sum : sum + ((long) in.u8() << 8);
    } catch (WireException e) {
      throw new IllegalStateException(e);
    }
  }
}
