package dev.vigil.coap.message;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.eclipse.californium.elements.EndpointContext;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a CoAP server.
 *
 * @param addresses UDP addresses for the scheme {@code coap}; port 0 takes any free port
 * @param trust source addresses that count as verified without an Echo option
 * @param limits bounds on memory and threads
 * @param multicast network interfaces that receive multicast
 * @param memoryIsScarce whether strangers are currently refused observations, uploads and large
 *     answers; called often
 * @param echoKey the key of Echo values, 32 octets, so that servers of one cluster accept each
 *     other's; null: a random key
 */
public record CoapSettings(
    List<InetSocketAddress> addresses,
    Trust trust,
    Limits limits,
    Multicast multicast,
    BooleanSupplier memoryIsScarce,
    byte @Nullable [] echoKey) {

  /** Decides which source addresses cannot be forged, and what is known about the others. */
  @FunctionalInterface
  public interface Trust {
    /**
     * @param local the socket that received the request; the same source address may be trustworthy
     *     on one network, whose routers check it, and forged on another
     * @param source the sender, with the identity from the connector if there is one
     */
    boolean isTrusted(InetSocketAddress local, EndpointContext source);

    /**
     * Whether a source address is the sender's own without an Echo option. Unlike a trusted
     * network, such a source has no other privilege.
     */
    default boolean isVerified(InetSocketAddress local, EndpointContext source) {
      return isTrusted(local, source);
    }

    /**
     * A number that identifies the radio neighbour that carries the packets of a source; empty
     * outside a radio network.
     */
    default OptionalLong neighbour(InetSocketAddress local, InetAddress source) {
      return OptionalLong.empty();
    }

    /** Whether an IPsec association with the source authenticated its packet. */
    default boolean isAssociated(EndpointContext source) {
      return false;
    }

    /**
     * Whether a recent message from this address proved its sender, so that the address is unlikely
     * to be forged now. Must be fast, because it is called for waiting datagrams.
     */
    default boolean isFamiliar(InetAddress source) {
      return false;
    }
  }

  public CoapSettings {
    addresses = List.copyOf(addresses);
  }

  /** Settings of a server whose Echo values no other server accepts. */
  public CoapSettings(
      List<InetSocketAddress> addresses,
      Trust trust,
      Limits limits,
      Multicast multicast,
      BooleanSupplier memoryIsScarce) {
    this(addresses, trust, limits, multicast, memoryIsScarce, null);
  }

  /** Settings of a server with memory to spare. */
  public CoapSettings(
      List<InetSocketAddress> addresses, Trust trust, Limits limits, Multicast multicast) {
    this(addresses, trust, limits, multicast, () -> false);
  }

  /**
   * Settings without multicast.
   *
   * @param trusted source addresses that count as verified on every socket
   */
  public CoapSettings(
      List<InetSocketAddress> addresses, Predicate<InetAddress> trusted, Limits limits) {
    this(
        addresses,
        (local, source) -> trusted.test(source.getPeerAddress().getAddress()),
        limits,
        Multicast.NONE);
  }

  /**
   * @param interfaces network interfaces on which to join the groups "All CoAP Nodes" and "All CoRE
   *     Resource Directories"; called again for interfaces that come up later
   * @param leisure the longest delay of a response (RFC 7252 section 8.2), more than 0
   */
  public record Multicast(Predicate<NetworkInterface> interfaces, Duration leisure) {
    /** DEFAULT_LEISURE of RFC 7252 section 4.8.2. */
    public static final Duration STANDARD_LEISURE = Duration.ofSeconds(5);

    public static final Multicast NONE = new Multicast(networkInterface -> false, STANDARD_LEISURE);
  }

  /**
   * @param workers threads that parse, verify and answer
   * @param maxBody octets of the body of a request or response, block-wise or not (4.13 beyond)
   * @param maxQueued waiting requests in one queue of the serial executor (5.03 beyond)
   * @param maxTransfers concurrent block-wise uploads of up to {@code maxBody} octets; the kept
   *     bodies of downloads may take half as much memory
   * @param maxObservers concurrent observations of all sockets; further requests are answered but
   *     not observed
   * @param ackTimeout ACK_TIMEOUT of RFC 7252 section 4.8
   * @param maxRetransmit MAX_RETRANSMIT of RFC 7252 section 4.8
   */
  public record Limits(
      int workers,
      int maxBody,
      int maxQueued,
      int maxTransfers,
      int maxObservers,
      Duration ackTimeout,
      int maxRetransmit) {

    /**
     * The number of observations that fit into a sixteenth of a heap, at some 4 KiB each; between 1
     * 000 and 50 000.
     */
    public static int observers(long heapOctets) {
      return Math.clamp(heapOctets / 16 / 4_096, 1_000, 50_000);
    }

    /**
     * The number of transfers whose bodies fit into a sixteenth of a heap; between 16 and 1 000.
     */
    public static int transfers(long heapOctets, int maxBody) {
      return Math.clamp(heapOctets / 16 / maxBody, 16, 1_000);
    }

    /** Total octets of the bodies that are kept while clients fetch them in blocks. */
    public long downloadOctets() {
      return (long) maxTransfers * maxBody / 2;
    }

    /** The timers of RFC 7252, bodies up to 64 KiB, one worker per processor, at least two. */
    public static Limits standard() {
      return new Limits(
          Math.max(2, Runtime.getRuntime().availableProcessors()),
          65_536,
          10_000,
          1_000,
          50_000,
          Duration.ofSeconds(2),
          4);
    }
  }
}
