package dev.vigil.directory.coap;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * How the CoAP front listens.
 *
 * @param addresses UDP addresses to serve {@code coap} at; port 0 takes a free one
 * @param trust source addresses that count as verified without more
 * @param limits what a stranger may make us hold
 * @param multicast where groups are heard
 */
public record CoapSettings(
    List<InetSocketAddress> addresses, Trust trust, Limits limits, Multicast multicast) {

  /** Which senders need not show that their addresses are their own. */
  @FunctionalInterface
  public interface Trust {
    /**
     * @param at where the datagram came in: a mesh whose routers cannot be lied to vouches for its
     *     sources, a LAN on which somebody writes the same ones does not
     */
    boolean vouchesFor(InetSocketAddress at, InetAddress source);
  }

  public CoapSettings {
    addresses = List.copyOf(addresses);
  }

  /**
   * Without multicast.
   *
   * @param trusted source addresses that count as verified wherever they come in
   */
  public CoapSettings(
      List<InetSocketAddress> addresses, Predicate<InetAddress> trusted, Limits limits) {
    this(addresses, (at, source) -> trusted.test(source), limits, Multicast.NONE);
  }

  /**
   * @param interfaces on which to hear "All CoAP Nodes" and "All CoRE Resource Directories"; those
   *     that come up later are asked about later
   * @param leisure the longest an answer waits (RFC 7252 section 8.2), more than 0
   */
  public record Multicast(Predicate<NetworkInterface> interfaces, Duration leisure) {
    /** DEFAULT_LEISURE of RFC 7252 section 4.8.2. */
    public static final Duration STANDARD_LEISURE = Duration.ofSeconds(5);

    public static final Multicast NONE = new Multicast(any -> false, STANDARD_LEISURE);
  }

  /**
   * @param workers threads that parse, verify and answer
   * @param maxBody octets of a request's or an answer's body, block-wise or not (4.13 beyond)
   * @param maxQueued requests that wait on one lane (5.03 beyond), and datagrams of one connector
   *     that wait for a worker (beyond, they wait in the kernel's buffer)
   * @param maxTransfers block-wise transfers at a time; one of an upload holds {@code maxBody}
   *     octets
   * @param maxObservers observations at a time; a request beyond is answered but not observed
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

    /** The RFC's timers, bodies up to 64 KiB, as many workers as processors. */
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
