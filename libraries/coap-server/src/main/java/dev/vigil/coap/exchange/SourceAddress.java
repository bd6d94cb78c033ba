package dev.vigil.coap.exchange;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * A source address as the key of a table that unverified senders fill. Comparable, so that a {@link
 * java.util.HashMap} keeps colliding keys in a tree: an attacker with an IPv6 prefix can choose
 * addresses of equal hashes, which would make lists of the buckets slow.
 *
 * @param high the first 64 bits; 0 for an IPv4 address
 * @param low the last 64 bits; for an IPv4 address those of its IPv4-mapped IPv6 address
 */
public record SourceAddress(long high, long low) implements Comparable<SourceAddress> {
  private static final long IPV4 = 0xffffL << Integer.SIZE;

  public static SourceAddress of(InetAddress address) {
    ByteBuffer octets = ByteBuffer.wrap(address.getAddress());
    return octets.remaining() == Integer.BYTES
        ? new SourceAddress(0, IPV4 | Integer.toUnsignedLong(octets.getInt()))
        : new SourceAddress(octets.getLong(), octets.getLong());
  }

  /**
   * @param literal as {@link #literal} writes it
   * @throws IllegalArgumentException when it is no address
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
      throw new IllegalStateException("4 and 16 octets are addresses", e);
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
