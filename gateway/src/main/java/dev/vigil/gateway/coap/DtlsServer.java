package dev.vigil.gateway.coap;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.List;
import org.eclipse.californium.scandium.DTLSConnector;
import org.eclipse.californium.scandium.config.DtlsConnectorConfig;
import org.eclipse.californium.scandium.dtls.Record;
import org.jspecify.annotations.Nullable;

/** Scandium's server on a socket of our choice, which has its {@link Hellos} looked at first. */
final class DtlsServer extends DTLSConnector {
  /**
   * Where datagrams come from and go to.
   *
   * @param mtu octets that a packet there may have; null: as the kernel's interfaces say
   */
  record Carrier(Opener opener, @Nullable Integer mtu) {
    /** The kernel's UDP. */
    static final Carrier KERNEL = new Carrier(() -> new DatagramSocket(null), null);

    /** Makes a socket each time that the server starts. */
    interface Opener {
      DatagramSocket open() throws SocketException;
    }
  }

  private final Hellos hellos;
  private final Carrier carrier;

  /**
   * @param hellos of this server alone, known to the configuration's session listener
   */
  DtlsServer(DtlsConnectorConfig configuration, Hellos hellos, Carrier carrier) {
    super(configuration);
    this.hellos = hellos;
    this.carrier = carrier;
  }

  @Override
  protected void start(InetSocketAddress address) throws IOException {
    if (!isRunning()) {
      init(address, carrier.opener().open(), carrier.mtu());
    }
  }

  @Override
  protected void processRecords(
      List<Record> records, InetSocketAddress peer, InetSocketAddress router) {
    Record first = records.getFirst();
    if (records.size() == 1 && first.isNewClientHello()) {
      hellos.note(peer, first);
    }
    super.processRecords(records, peer, router);
  }
}
