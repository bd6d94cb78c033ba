package dev.vigil.coap.message;

import dev.vigil.coap.link.UriHosts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.network.Exchange;

/**
 * Base URIs: the scheme and authority by which a client reached the server, from the Uri-Host and
 * Uri-Port options, else from the destination address of the request. A socket bound to the
 * wildcard address does not report the destination address; the local address of the route to the
 * client is used instead.
 */
public final class BaseUris {
  private static final int MAX_PEERS = 4096;
  private static final int MAX_TEXTS = 1024;

  /** The host may get another address after this time. */
  private static final long ROUTE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final LongSupplier nanoTime;
  private final UnaryOperator<InetAddress> routing;

  /** The route to each peer, least recently used peers first. */
  private final Map<InetAddress, Route> routes =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<InetAddress, Route> eldest) {
              return size() > MAX_PEERS;
            }
          });

  private final Map<LocalEndpoint, String> texts = new ConcurrentHashMap<>();

  /**
   * @param since {@link System#nanoTime}
   */
  private record Route(InetAddress local, long since) {}

  private record LocalEndpoint(String scheme, InetAddress address, int port) {
    String text() {
      return base(scheme, UriHosts.literal(address), port);
    }
  }

  public BaseUris(LongSupplier nanoTime) {
    this(nanoTime, BaseUris::routeTo);
  }

  /**
   * @param routing the local address of the route to a peer
   */
  BaseUris(LongSupplier nanoTime, UnaryOperator<InetAddress> routing) {
    this.nanoTime = nanoTime;
    this.routing = routing;
  }

  /**
   * The base URI of a request without Uri-Host and Uri-Port.
   *
   * @param bound the address of the socket that received the request
   */
  public String ofSocket(String scheme, InetSocketAddress bound, InetAddress source) {
    LocalEndpoint local = new LocalEndpoint(scheme, localAddress(bound, source), bound.getPort());
    if (texts.size() >= MAX_TEXTS) {
      texts.clear();
    }
    return texts.computeIfAbsent(local, LocalEndpoint::text);
  }

  /** The base URI of a request; ignores its Uri-Host and Uri-Port options. */
  public String ofSocket(Exchange exchange) {
    return ofSocket(
        exchange.getRequest().getScheme(), exchange.getEndpoint().getAddress(), source(exchange));
  }

  /** The base URI of a request, with its Uri-Host and Uri-Port options. */
  public String of(Exchange exchange) {
    var message = exchange.getRequest();
    var options = message.getOptions();
    if (!options.hasUriPort() && !options.hasUriHost()) {
      return ofSocket(exchange);
    }
    InetSocketAddress bound = exchange.getEndpoint().getAddress();
    int port = options.hasUriPort() ? options.getUriPort() : bound.getPort();
    String host =
        options.hasUriHost()
            ? options.getUriHost()
            : UriHosts.literal(localAddress(bound, source(exchange)));
    return base(message.getScheme(), host, port);
  }

  private static InetAddress source(Exchange exchange) {
    return exchange.getRequest().getSourceContext().getPeerAddress().getAddress();
  }

  static String base(String scheme, String host, int port) {
    String bracketed = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    int defaultPort = CoAP.getDefaultPort(scheme);
    return scheme + "://" + bracketed + (port == defaultPort ? "" : ":" + port);
  }

  /**
   * Whether the host of a base URI is this address.
   *
   * @param base as {@link #of} and {@link #ofSocket} write it
   */
  public static boolean hasHost(String base, InetAddress address) {
    String literal = UriHosts.literal(address);
    int start = base.indexOf("://") + 3;
    int end = start + literal.length();
    return base.startsWith(literal, start) && (base.length() == end || base.charAt(end) == ':');
  }

  private InetAddress localAddress(InetSocketAddress bound, InetAddress source) {
    InetAddress address = bound.getAddress();
    if (!address.isAnyLocalAddress()) {
      return address;
    }
    long now = nanoTime.getAsLong();
    Route route = routes.get(source);
    if (route == null || now - route.since() >= ROUTE_NANOS) {
      route = new Route(routing.apply(source), now);
      routes.put(source, route);
    }
    return route.local();
  }

  /** The local address that the kernel chooses for a peer; no datagram is sent. */
  private static InetAddress routeTo(InetAddress peer) {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(peer, 9));
      return socket.getLocalAddress();
    } catch (IOException e) {
      return InetAddress.getLoopbackAddress();
    } catch (UncheckedIOException e) {
      return InetAddress.getLoopbackAddress();
    }
  }
}
