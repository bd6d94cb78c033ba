package dev.vigil.coap.limits;

import dev.vigil.coap.exchange.SourceAddress;
import java.util.List;
import java.util.OptionalLong;

/**
 * A network under which sources are counted: an address, its /64 or its /48. A site is assigned a
 * /48 to /64 (RFC 6177), and a host chooses its address freely within a /64. Queues also count IPv4
 * addresses by /24 and /16. Motes are counted under the radio neighbour that carries their packets,
 * because a node may use any number of addresses.
 *
 * @param high the first 64 bits, with zeros beyond the prefix; or the number of a neighbour
 * @param low the last 64 bits, with zeros beyond the prefix
 * @param bits length of the prefix, or {@link #NEIGHBOUR}
 */
record SourcePrefix(long high, long low, int bits) implements Comparable<SourcePrefix> {
  private static final int NEIGHBOUR = -1;

  private static final long IPV4_MAPPED = 0xffffL;
  private static final long FIRST_48_BITS = -1L << 16;

  // For IPv4 addresses, which occupy the last 32 bits.
  private static final long FIRST_16_BITS = -1L << 16;
  private static final long FIRST_24_BITS = -1L << 8;

  /** The neighbour, if there is one, then the address. */
  static List<SourcePrefix> ofTrusted(SourceAddress address, OptionalLong neighbour) {
    return neighbour.isPresent()
        ? List.of(new SourcePrefix(neighbour.getAsLong(), 0, NEIGHBOUR), whole(address))
        : List.of(whole(address));
  }

  private static SourcePrefix whole(SourceAddress address) {
    return new SourcePrefix(address.high(), address.low(), 128);
  }

  /** The prefixes from the widest to the address; an IPv4 address is counted by itself. */
  static List<SourcePrefix> nested(SourceAddress address) {
    return isIpv4(address.high(), address.low()) ? List.of(whole(address)) : sites(address);
  }

  /**
   * The prefixes from the widest to the address, for turns. An IPv4 address shares the turn of its
   * /24, which shares the turn of its /16. A neighbour loses little by this, while a sender that
   * has or forges many addresses gains little.
   */
  static List<SourcePrefix> ofTurns(SourceAddress address) {
    return withIpv4Networks(nested(address));
  }

  /** The same prefixes; an IPv4 address is preceded by its /16 and its /24. */
  static List<SourcePrefix> withIpv4Networks(List<SourcePrefix> prefixes) {
    SourcePrefix address = prefixes.getLast();
    return isIpv4(address.high, address.low)
        ? List.of(
            new SourcePrefix(0, address.low & FIRST_16_BITS, 112),
            new SourcePrefix(0, address.low & FIRST_24_BITS, 120),
            address)
        : prefixes;
  }

  private static boolean isIpv4(long high, long low) {
    return high == 0 && low >>> Integer.SIZE == IPV4_MAPPED;
  }

  private static List<SourcePrefix> sites(SourceAddress address) {
    return List.of(
        new SourcePrefix(address.high() & FIRST_48_BITS, 0, 48),
        new SourcePrefix(address.high(), 0, 64),
        whole(address));
  }

  /**
   * The limit of a network as a multiple of the limit of an address; see {@link SourceRateLimiter}.
   * A radio neighbour may carry the packets of many motes.
   */
  int addressesWorth() {
    return switch (bits) {
      case 48, NEIGHBOUR -> 16;
      case 64 -> 4;
      default -> 1;
    };
  }

  /** Defines an order, so that a hash table stays fast for addresses with equal hashes. */
  @Override
  public int compareTo(SourcePrefix other) {
    int order = Long.compareUnsigned(high, other.high);
    if (order == 0) {
      order = Long.compareUnsigned(low, other.low);
    }
    return order == 0 ? Integer.compare(bits, other.bits) : order;
  }
}
