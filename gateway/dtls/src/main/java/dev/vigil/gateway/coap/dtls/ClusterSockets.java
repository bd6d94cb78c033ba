package dev.vigil.gateway.coap.dtls;

import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.duties.ClusterGateway;
import dev.vigil.gateway.duties.Duties;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.SharedSecrets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The parts of this gateway's DTLS sockets that belong to its cluster: the number in connection
 * IDs, and a private socket for each of them, at which other gateways forward records.
 */
@Component
public final class ClusterSockets {
  private static final String PURPOSE = "CoAPS between gateways";

  private final ClusterProperties settings;
  private final SharedSecrets secrets;
  private final @Nullable GatewayNumbers numbers;

  public ClusterSockets(
      ClusterProperties settings, Records records, SharedSecrets secrets, Duties duties) {
    this.settings = settings;
    this.secrets = secrets;
    this.numbers =
        settings.isShared()
            ? new GatewayNumbers(
                records,
                settings.gateway(),
                () ->
                    duties.gateways().stream()
                        .map(ClusterGateway::name)
                        .collect(Collectors.toSet()))
            : null;
  }

  /**
   * Makes the sockets at given addresses; not open yet.
   *
   * @throws IOException begins with "cannot" and names the setting and its fault
   */
  public List<DtlsListener> listeners(DtlsConnectors connectors, List<InetSocketAddress> addresses)
      throws IOException {
    if (numbers == null) {
      return addresses.stream().map(connectors::at).toList();
    }
    int number = numbers.take();
    Optional<InetSocketAddress> first = resolve(settings);
    List<DtlsListener> listeners = new ArrayList<>();
    for (InetSocketAddress address : addresses) {
      int index = listeners.size();
      ClusterSocket.@Nullable Channel channel =
          first
              .map(
                  socket ->
                      new ClusterSocket.Channel(
                          beside(socket, index), secrets.derive(PURPOSE), numbers.others(index)))
              .orElse(null);
      listeners.add(connectors.at(address, new ClusterSocket(number, channel)));
    }
    return listeners;
  }

  /** Each CoAPS socket has a private one; their ports follow each other. */
  private static InetSocketAddress beside(InetSocketAddress first, int index) {
    int port = first.getPort();
    return new InetSocketAddress(first.getAddress(), port == 0 ? 0 : port + index);
  }

  /**
   * The address of the first private socket; empty without the setting.
   *
   * @throws IOException begins with "cannot" and names the setting
   */
  static Optional<InetSocketAddress> resolve(ClusterProperties settings) throws IOException {
    Optional<InetSocketAddress> named = settings.coapsSocket();
    if (named.isEmpty()) {
      return Optional.empty();
    }
    try {
      InetAddress address = InetAddress.getByName(named.get().getHostString());
      if (address.isAnyLocalAddress()) {
        throw new IOException(
            "cannot use the wildcard %s in vigil.cluster.coaps-address: name the address at which other gateways reach this one"
                .formatted(named.get().getHostString()));
      }
      return Optional.of(new InetSocketAddress(address, named.get().getPort()));
    } catch (UnknownHostException e) {
      throw new IOException(
          "cannot resolve \"%s\" in vigil.cluster.coaps-address"
              .formatted(named.get().getHostString()),
          e);
    }
  }

  /** Publishes the addresses of the private sockets, which are open now. */
  public void opened(List<DtlsListener> listeners) {
    if (numbers != null) {
      numbers.publish(
          listeners.stream().map(DtlsListener::privateSocket).flatMap(Optional::stream).toList());
    }
  }
}
