package dev.vigil.coap.udp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Linux's {@code sockaddr_in} and {@code sockaddr_in6}. */
final class SocketAddresses {
  static final short AF_INET = 2;
  static final short AF_INET6 = 10;

  /** Octets of {@code sockaddr_in6}, the larger one. */
  static final int SIZE = 28;

  private static final int SIZE_IPV4 = 16;
  private static final int PORT_AT = 2;
  private static final int IPV4_AT = 4;
  private static final int IPV6_AT = 8;
  private static final int MAPPED_IPV4_AT = IPV6_AT + 12;
  private static final int SCOPE_AT = 24;

  private static final ValueLayout.OfShort FAMILY = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfShort PORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private SocketAddresses() {}

  static short family(MemorySegment address) {
    return address.get(FAMILY, 0);
  }

  /** Null if it is neither an IPv4 nor an IPv6 address. */
  static @Nullable InetSocketAddress read(MemorySegment address) throws UnknownHostException {
    int port = address.get(PORT, PORT_AT) & 0xffff;
    return switch (family(address)) {
      case AF_INET -> new InetSocketAddress(address(address, IPV4_AT, 4), port);
      // A mapped address is an IPv4 address, as for the sockets of the JDK.
      case AF_INET6 -> new InetSocketAddress(address(address, IPV6_AT, 16), port);
      default -> null;
    };
  }

  private static InetAddress address(MemorySegment address, int at, int length)
      throws UnknownHostException {
    return InetAddress.getByAddress(address.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
  }

  /**
   * Writes the address of a peer.
   *
   * @param family of the sending socket; an IPv6 socket sends to mapped IPv4 addresses
   * @return octets written; 0 if a socket of this family cannot send there
   */
  static int write(MemorySegment into, short family, InetSocketAddress peer) {
    InetAddress address = peer.getAddress();
    if (address == null || family == AF_INET && address instanceof Inet6Address) {
      return 0;
    }
    into.fill((byte) 0);
    into.set(FAMILY, 0, family);
    into.set(PORT, PORT_AT, (short) peer.getPort());
    byte[] octets = address.getAddress();
    if (family == AF_INET) {
      put(octets, into, IPV4_AT);
      return SIZE_IPV4;
    }
    if (address instanceof Inet6Address ipv6) {
      put(octets, into, IPV6_AT);
      into.set(INT, SCOPE_AT, ipv6.getScopeId());
    } else {
      into.set(FAMILY, MAPPED_IPV4_AT - Short.BYTES, (short) -1);
      put(octets, into, MAPPED_IPV4_AT);
    }
    return SIZE;
  }

  private static void put(byte[] octets, MemorySegment into, int at) {
    MemorySegment.copy(octets, 0, into, ValueLayout.JAVA_BYTE, at, octets.length);
  }
}
