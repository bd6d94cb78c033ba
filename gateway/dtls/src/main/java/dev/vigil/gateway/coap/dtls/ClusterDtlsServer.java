package dev.vigil.gateway.coap.dtls;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.californium.scandium.DtlsClusterConnector;
import org.eclipse.californium.scandium.DtlsManagedClusterConnector;
import org.eclipse.californium.scandium.config.DtlsClusterConnectorConfig;
import org.eclipse.californium.scandium.config.DtlsConnectorConfig;
import org.eclipse.californium.scandium.dtls.Record;
import org.jspecify.annotations.Nullable;

/**
 * Scandium's cluster connector: a record whose connection ID names another gateway is forwarded to
 * that gateway's private socket, and the answer comes back the same way.
 *
 * <p>Each datagram between gateways has a MAC over the client's address and the ends of the record,
 * under a key of the cluster. Scandium derives such keys from DTLS sessions between the gateways,
 * which are missing for some seconds after each start; the cluster has a common secret anyway. The
 * record itself is protected by the client's session, and a repeated record is recognised by its
 * number and dropped.
 */
final class ClusterDtlsServer extends DtlsClusterConnector {
  private static final String MAC = "HmacSHA256";

  private final FairConnectionStore connections;
  private final ClientHelloRewriter hellos;
  private final InetSocketAddress address;

  /** One for each thread that sends or receives, because a Mac is stateful. */
  private final ThreadLocal<Mac> mac;

  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final LongAdder refused = new LongAdder();

  /**
   * @param configuration with an id generator that knows nodes
   * @param hellos used by this connector alone, and by the session listener of its configuration
   */
  ClusterDtlsServer(
      DtlsConnectorConfig configuration,
      FairConnectionStore connections,
      ClientHelloRewriter hellos,
      ClusterSocket.Channel channel) {
    super(
        configuration,
        DtlsClusterConnectorConfig.builder().setAddress(channel.address()).build(),
        connections,
        true);
    this.connections = connections;
    this.hellos = hellos;
    this.address = channel.address();
    SecretKeySpec key = new SecretKeySpec(channel.key(), MAC);
    this.mac = ThreadLocal.withInitial(() -> mac(key));
    setClusterNodesProvider(channel.others());
  }

  DtlsStatistics.Forwarding forwarding() {
    return new DtlsStatistics.Forwarding(sent.sum(), received.sum(), refused.sum());
  }

  @Override
  protected void init(InetSocketAddress bind, DatagramSocket socket, @Nullable Integer mtu)
      throws IOException {
    try {
      super.init(bind, socket, mtu);
    } catch (IOException e) {
      if (clusterInternalSocket == null) {
        throw new IOException(
            "the private socket at %s, port %d, of vigil.cluster.coaps-address: %s"
                .formatted(address.getHostString(), address.getPort(), e.getMessage()),
            e);
      }
      throw e;
    }
  }

  /** Also called for a connector that could not be started. */
  @Override
  public void stop() {
    if (clusterInternalSocket != null) {
      super.stop();
    }
  }

  @Override
  protected void processDatagram(DatagramPacket packet, InetSocketAddress router) {
    // A datagram is forwarded in its own buffer, which must have room for the header.
    if (packet.getLength() + MAX_DATAGRAM_OFFSET <= packet.getData().length) {
      super.processDatagram(packet, router);
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

  @Override
  protected int getClusterMacLength() {
    return CLUSTER_MAC_LENGTH;
  }

  @Override
  protected void sendDatagramToClusterNetwork(DatagramPacket packet) throws IOException {
    DtlsManagedClusterConnector.setClusterMac(mac.get(), packet);
    if (RECORD_TYPE_INCOMING.equals(getClusterRecordType(packet))) {
      sent.increment();
    }
    super.sendDatagramToClusterNetwork(packet);
  }

  @Override
  protected void processDatagramFromClusterNetwork(Byte type, DatagramPacket packet)
      throws IOException {
    if (!DtlsManagedClusterConnector.validateClusterMac(mac.get(), packet)) {
      refused.increment();
      return;
    }
    if (RECORD_TYPE_INCOMING.equals(type)) {
      received.increment();
    }
    super.processDatagramFromClusterNetwork(type, packet);
  }

  @Override
  protected void processManagementDatagramFromClusterNetwork(DatagramPacket packet) {
    refused.increment();
  }

  private static Mac mac(SecretKeySpec key) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK lacks " + MAC, e);
    }
  }
}
