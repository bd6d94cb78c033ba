package dev.vigil.directory.coap;

import dev.vigil.directory.link.Hosts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.network.Exchange;

/**
 * Scheme and authority under which a client reached us: its Uri-Host and Uri-Port, else the address
 * its datagram came to. A socket bound to every address does not tell the latter; the address that
 * we would answer from stands for it.
 */
final class Bases {
  private static final int REMEMBERED = 4096;

  private final Map<InetAddress, InetAddress> localAddresses =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<InetAddress, InetAddress> eldest) {
              return size() > REMEMBERED;
            }
          });

  /** As text, by where a client can reach us: as many as there are addresses of our own. */
  private final Map<Own, String> written = new ConcurrentHashMap<>();

  private record Own(String scheme, InetAddress address, int port) {
    String text() {
      return base(scheme, Hosts.literal(address), port);
    }
  }

  /**
   * As if the request had named neither host nor port.
   *
   * @param bound where we listen
   */
  String ofSocket(String scheme, InetSocketAddress bound, InetAddress source) {
    Own own = new Own(scheme, own(bound, source), bound.getPort());
    return written.computeIfAbsent(own, Own::text);
  }

  String ofSocket(Exchange exchange) {
    return ofSocket(
        exchange.getRequest().getScheme(), exchange.getEndpoint().getAddress(), source(exchange));
  }

  String of(Exchange exchange) {
    var message = exchange.getRequest();
    var options = message.getOptions();
    if (!options.hasUriPort() && !options.hasUriHost()) {
      return ofSocket(exchange);
    }
    InetSocketAddress bound = exchange.getEndpoint().getAddress();
    int port = options.hasUriPort() ? options.getUriPort() : bound.getPort();
    String host =
        options.hasUriHost() ? options.getUriHost() : Hosts.literal(own(bound, source(exchange)));
    return base(message.getScheme(), host, port);
  }

  private static InetAddress source(Exchange exchange) {
    return exchange.getRequest().getSourceContext().getPeerAddress().getAddress();
  }

  static String base(String scheme, String host, int port) {
    String bracketed = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    int standard = CoAP.getDefaultPort(scheme);
    return scheme + "://" + bracketed + (port == standard ? "" : ":" + port);
  }

  private InetAddress own(InetSocketAddress bound, InetAddress source) {
    InetAddress address = bound.getAddress();
    return address.isAnyLocalAddress()
        ? localAddresses.computeIfAbsent(source, Bases::routeTo)
        : address;
  }

  /** What the kernel would choose as our address; no datagram is sent. */
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
