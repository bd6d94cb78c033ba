package dev.vigil.gateway.coap.dtls;

import dev.vigil.coap.limits.Source;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.function.BiFunction;
import org.eclipse.californium.scandium.DTLSConnector;
import org.eclipse.californium.scandium.config.DtlsConnectorConfig;
import org.eclipse.californium.scandium.dtls.Record;
import org.jspecify.annotations.Nullable;

/**
 * Scandium's connector on a socket from a {@link Carrier}; every ClientHello goes through a {@link
 * ClientHelloRewriter} first.
 */
final class DtlsServer extends DTLSConnector {
  /**
   * The source of the sockets.
   *
   * @param mtu octets of a packet; null: the MTU of the kernel's interfaces
   * @param sources how limits count the clients
   */
  record Carrier(
      Opener opener,
      @Nullable Integer mtu,
      BiFunction<Source.Standing, InetAddress, Source> sources) {
    /** The kernel's UDP. */
    static final Carrier KERNEL = new Carrier(() -> new DatagramSocket(null), null, Source::of);

    /** Opens a socket; called each time that the connector starts. */
    interface Opener {
      DatagramSocket open() throws SocketException;
    }
  }

  private final FairConnectionStore connections;
  private final ClientHelloRewriter hellos;
  private final Carrier carrier;

  /**
   * @param hellos used by this connector alone, and by the session listener of its configuration
   */
  DtlsServer(
      DtlsConnectorConfig configuration,
      FairConnectionStore connections,
      ClientHelloRewriter hellos,
      Carrier carrier) {
    super(configuration, connections);
    this.connections = connections;
    this.hellos = hellos;
    this.carrier = carrier;
  }

  @Override
  protected void start(InetSocketAddress address) throws IOException {
    if (!isRunning()) {
      init(address, carrier.opener().open(), carrier.mtu());
    }
  }

  /** Keeps the sessions, which are saved afterwards. */
  @Override
  public void destroy() {
    stop();
  }

  @Override
  protected void processRecords(
      List<Record> records, InetSocketAddress peer, InetSocketAddress router) {
    hellos.rewrite(peer, records);
    super.processRecords(records, peer, router);
  }

  @Override
  protected void sendRecord(Record record) throws IOException {
    if (!connections.withholds(record)) {
      super.sendRecord(record);
    }
  }
}
