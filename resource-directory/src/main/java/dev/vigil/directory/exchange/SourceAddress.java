package dev.vigil.directory.exchange;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * A source address as the key of a table that strangers fill. Ordered, so that a hash table finds
 * it quickly among others that were chosen for their hashes, as IPv6 addresses easily are.
 *
 * @param high the first 64 bits; 0 of an IPv4 address
 * @param low the others
 */
public record SourceAddress(long high, long low) implements Comparable<SourceAddress> {
  private static final long IPV4 = 0xffffL << Integer.SIZE;

  public static SourceAddress of(InetAddress address) {
    ByteBuffer octets = ByteBuffer.wrap(address.getAddress());
    return octets.remaining() == Integer.BYTES
        ? new SourceAddress(0, IPV4 | Integer.toUnsignedLong(octets.getInt()))
        : new SourceAddress(octets.getLong(), octets.getLong());
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
