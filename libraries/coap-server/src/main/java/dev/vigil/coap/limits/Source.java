package dev.vigil.coap.limits;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.SourceAddress;
import java.net.InetAddress;
import java.util.List;
import java.util.OptionalLong;

/**
 * The sender of a request, as limits count it.
 *
 * @param standing decides which part of a limit the sender may use
 * @param prefixes from the widest network to the address
 */
public record Source(Standing standing, List<SourcePrefix> prefixes) {
  /** How much is known about a sender, in ascending order. */
  public enum Standing {
    /** The address may be forged, because the sender has not yet answered from it. */
    UNVERIFIED,
    /** The sender receives at its address: TCP, DTLS, Echo (RFC 9175) or a trusted network. */
    VERIFIED,
    /** The sender has proved an identity: a key, a certificate or a token. */
    AUTHENTICATED
  }

  /** A source on the Internet: counted by address, /64 and /48. */
  public static Source of(Standing standing, InetAddress address) {
    return of(standing, SourceAddress.of(address));
  }

  /** A source on the Internet, as tables store it. */
  public static Source of(Standing standing, SourceAddress address) {
    return new Source(standing, SourcePrefix.nested(address));
  }

  /**
   * The sender of a datagram that waits for its turn in a {@link FairQueue}.
   *
   * @param neighbour the radio neighbour that carried the datagram, if any
   */
  public static Source ofDatagram(InetAddress address, OptionalLong neighbour) {
    SourceAddress from = SourceAddress.of(address);
    return new Source(
        Standing.UNVERIFIED,
        neighbour.isPresent()
            ? SourcePrefix.ofTrusted(from, neighbour)
            : SourcePrefix.ofTurns(from));
  }

  /** The sender of a request that waits for its turn in a {@link FairQueue}. */
  public static Source ofTurns(Caller caller) {
    SourceAddress address = SourceAddress.of(caller);
    return new Source(
        standing(caller),
        caller.trusted()
            ? SourcePrefix.ofTrusted(address, caller.neighbour())
            : SourcePrefix.ofTurns(address));
  }

  /** This source; an IPv4 address is also counted by its /24 and its /16. */
  public Source withIpv4Networks() {
    return new Source(standing, SourcePrefix.withIpv4Networks(prefixes));
  }

  /**
   * A source in a trusted network: counted by its address.
   *
   * @param neighbour the radio neighbour that carries its packets; the source is counted by
   *     neighbour first
   */
  public static Source ofTrusted(Standing standing, InetAddress address, OptionalLong neighbour) {
    return new Source(standing, SourcePrefix.ofTrusted(SourceAddress.of(address), neighbour));
  }

  /** The sender of a request. */
  public static Source of(Caller caller) {
    InetAddress address = caller.source().getAddress();
    return caller.trusted()
        ? ofTrusted(standing(caller), address, caller.neighbour())
        : of(standing(caller), address);
  }

  /**
   * A raw public key proves nothing here, because anybody can generate one. A link is passed on
   * easily.
   */
  static Standing standing(Caller caller) {
    return switch (caller.identity()) {
      case Caller.PreSharedKey psk -> Standing.AUTHENTICATED;
      case Caller.Certificate certificate -> Standing.AUTHENTICATED;
      case Caller.Account account -> Standing.AUTHENTICATED;
      case Caller.RawKey raw -> Standing.VERIFIED;
      case Caller.Link link -> Standing.VERIFIED;
      case Caller.Broker broker -> Standing.VERIFIED;
      case Caller.Anonymous anonymous ->
          caller.verified() ? Standing.VERIFIED : Standing.UNVERIFIED;
    };
  }
}
