package dev.vigil.border.ipv6;

import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.util.List;

/**
 * An IPv6 address as two numbers, so that prefixes and interface identifiers are cheap to compare.
 * Addresses are comparable, so that a hash table stays fast when an attacker chooses addresses with
 * equal hashes.
 *
 * @param high the first eight octets, big-endian
 * @param low the last eight octets; in most unicast addresses, the interface identifier
 */
public record Ipv6Address(long high, long low) implements Comparable<Ipv6Address> {
  /** Octets on the wire. */
  public static final int LENGTH = 16;

  public static final Ipv6Address UNSPECIFIED = new Ipv6Address(0, 0);
  public static final Ipv6Address LOOPBACK = new Ipv6Address(0, 1);
  public static final Ipv6Address ALL_NODES = new Ipv6Address(0xff02L << 48, 1);
  public static final Ipv6Address ALL_ROUTERS = new Ipv6Address(0xff02L << 48, 2);

  /** The destination of RPL's multicast messages (RFC 6550, section 6). */
  public static final Ipv6Address ALL_RPL_NODES = new Ipv6Address(0xff02L << 48, 0x1a);

  /**
   * "All CoAP Nodes" (RFC 7252, section 12.8) and "All CoRE Resource Directories" (RFC 9176,
   * section 9.5) of one scope.
   *
   * @param scope the first 16 bits, for instance 0xff02
   */
  public static List<Ipv6Address> coapGroups(long scope) {
    return List.of(new Ipv6Address(scope << 48, 0xfd), new Ipv6Address(scope << 48, 0xfe));
  }

  private static final long LINK_LOCAL_PREFIX = 0xfe80L << 48;

  /** The link-local address with this interface identifier. */
  public static Ipv6Address linkLocal(long interfaceId) {
    return new Ipv6Address(LINK_LOCAL_PREFIX, interfaceId);
  }

  public static Ipv6Address read(WireReader in) throws WireException {
    return new Ipv6Address(in.u64(), in.u64());
  }

  /**
   * @param octets exactly 16
   */
  public static Ipv6Address of(byte[] octets) throws WireException {
    WireReader in = new WireReader(octets);
    Ipv6Address address = read(in);
    in.end();
    return address;
  }

  /**
   * Reads the text form of RFC 4291, section 2.2, without zone and without embedded IPv4.
   *
   * @throws WireException {@code Drop.BAD_TEXT}
   */
  public static Ipv6Address parse(String text) throws WireException {
    return Ipv6Text.parse(text);
  }

  public void write(WireWriter out) {
    out.u64(high).u64(low);
  }

  public byte[] octets() {
    WireWriter out = new WireWriter(LENGTH);
    write(out);
    return out.toBytes();
  }

  public boolean isUnspecified() {
    return (high | low) == 0;
  }

  public boolean isMulticast() {
    return high >>> 56 == 0xff;
  }

  /** In fe80::/10. */
  public boolean isLinkLocal() {
    return high >>> 54 == 0xfe80 >> 6;
  }

  /** In fe80::/64, the only link-local prefix in use (RFC 4291, section 2.5.6). */
  public boolean hasLinkLocalPrefix() {
    return high == LINK_LOCAL_PREFIX;
  }

  /**
   * Whether the first bits equal those of a prefix.
   *
   * @param length 0 to 128
   */
  public boolean startsWith(Ipv6Address prefix, int length) {
    return prefix(length).equals(prefix.prefix(length));
  }

  /** The first {@code length} bits, the others zero. */
  public Ipv6Address prefix(int length) {
    return new Ipv6Address(high & mask(length), low & mask(length - Long.SIZE));
  }

  /** The first {@code length} bits of this address, followed by the remaining bits of another. */
  public Ipv6Address prefixOf(int length, Ipv6Address rest) {
    long highMask = mask(length);
    long lowMask = mask(length - Long.SIZE);
    return new Ipv6Address(
        high & highMask | rest.high & ~highMask, low & lowMask | rest.low & ~lowMask);
  }

  private static long mask(int bits) {
    return bits <= 0 ? 0 : bits >= Long.SIZE ? -1L : -1L << (Long.SIZE - bits);
  }

  @Override
  public int compareTo(Ipv6Address other) {
    int first = Long.compareUnsigned(high, other.high);
    return first != 0 ? first : Long.compareUnsigned(low, other.low);
  }

  /** The recommended text form (RFC 5952). */
  @Override
  public String toString() {
    return Ipv6Text.format(this);
  }
}
