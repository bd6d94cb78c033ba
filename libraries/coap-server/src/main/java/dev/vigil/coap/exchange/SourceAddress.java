package dev.vigil.coap.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A source address as the key of a table that unverified senders fill. It is comparable, so that a
 * {@link java.util.HashMap} keeps colliding keys in a tree. Otherwise an attacker with an IPv6
 * prefix could choose addresses with equal hashes and make lookups slow.
 *
 * @param high the first 64 bits; 0 for an IPv4 address
 * @param low the last 64 bits; for an IPv4 address those of its IPv4-mapped IPv6 address
 */
public record SourceAddress(long high, long low) implements Comparable<SourceAddress> {
  private static final long IPV4 = 0xffffL << Integer.SIZE;

  // VarHandles, because an address is converted several times for each datagram.
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  public static SourceAddress of(InetAddress address) {
    byte[] octets = address.getAddress();
    return octets.length == Integer.BYTES
        ? new SourceAddress(0, IPV4 | Integer.toUnsignedLong((int) INTS.get(octets, 0)))
        : new SourceAddress((long) LONGS.get(octets, 0), (long) LONGS.get(octets, Long.BYTES));
  }

  /**
   * @param literal as {@link #literal} writes it
   * @throws IllegalArgumentException if it is not an address
   */
  public static SourceAddress ofLiteral(String literal) {
    return of(InetAddress.ofLiteral(literal));
  }

  /** The address as text, without brackets and zone. */
  public String literal() {
    boolean ipv4 = high == 0 && low >>> Integer.SIZE == IPV4 >>> Integer.SIZE;
    ByteBuffer octets = ByteBuffer.allocate(ipv4 ? Integer.BYTES : 2 * Long.BYTES);
    if (ipv4) {
      octets.putInt((int) low);
    } else {
      octets.putLong(high).putLong(low);
    }
    try {
      return InetAddress.getByAddress(octets.array()).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 octets", e);
    }
  }

  public static SourceAddress of(Caller caller) {
    return of(caller.source().getAddress());
  }

  @Override
  public int compareTo(SourceAddress other) {
    int first = Long.compareUnsigned(high, other.high);
    return first != 0 ? first : Long.compareUnsigned(low, other.low);
  }
}
