package dev.vigil.border.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.eclipse.californium.elements.EndpointContext;
import org.eclipse.californium.elements.MessageCallback;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.UdpEndpointContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MeshConnectorTest {
  private final StuckTransport transport = new StuckTransport();
  private final MeshConnector connector = new MeshConnector(transport, 5683, System::nanoTime);

  @BeforeEach
  void start() {
    connector.start();
  }

  /** Records the outcome that is reported to Californium. */
  private static final class Outcome implements MessageCallback {
    String error = "";

    @Override
    public void onConnecting() {}

    @Override
    public void onDtlsRetransmission(int flight) {}

    @Override
    public void onContextEstablished(EndpointContext context) {}

    @Override
    public void onSent() {}

    @Override
    public void onError(Throwable cause) {
      error = String.valueOf(cause.getMessage());
    }
  }

  private Outcome send(String host, int octets) throws Exception {
    Outcome callback = new Outcome();
    InetSocketAddress peer = new InetSocketAddress(InetAddress.getByName(host), 5683);
    connector.send(
        RawData.outbound(new byte[octets], new UdpEndpointContext(peer), callback, false));
    return callback;
  }

  @Test
  void refusesLargeMessagesAndOtherProtocolsThanIpv6() throws Exception {
    assertThat(send("fe80::2", 1_233).error).contains("are more than a mote's");
    assertThat(send("127.0.0.1", 10).error).contains("IPv6 only");
    assertThat(transport.waiting).isEmpty();
  }

  @Test
  void refusesMessagesBeyondItsCapacityUntilOneIsSent() throws Exception {
    for (int i = 0; i < MeshConnector.MAX_PENDING; i++) {
      send("fe80::2", 10);
    }
    assertThat(send("fe80::2", 10).error).contains("too many");
    assertThat(connector.refused()).isEqualTo(1);
    transport.waiting.removeFirst().done(null);
    send("fe80::2", 10);
    assertThat(transport.waiting).hasSize(MeshConnector.MAX_PENDING);
  }

  /** Californium throws for source port 0. */
  @Test
  void refusesDatagramsFromPort0() {
    List<RawData> received = new ArrayList<>();
    connector.setRawDataReceiver(received::add);
    UdpReceiver port = Objects.requireNonNull(transport.ports.get(5683));
    assertThat(port.received(from(0))).isFalse();
    assertThat(port.received(from(5683))).isTrue();
    assertThat(received).hasSize(1);
  }

  private static UdpDatagram from(int sourcePort) {
    return new UdpDatagram(StuckTransport.SELF, sourcePort, StuckTransport.SELF, 5683, new byte[4]);
  }

  @Test
  void aStoppedConnectorSendsNothing() throws Exception {
    connector.stop();
    assertThat(send("fe80::2", 10).error).contains("stopped");
  }
}
