package dev.vigil.border.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.eclipse.californium.elements.EndpointContext;
import org.eclipse.californium.elements.MessageCallback;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.UdpEndpointContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MeshConnectorTest {
  private final StuckMesh mesh = new StuckMesh();
  private final MeshConnector connector = new MeshConnector(mesh, 5683);

  @BeforeEach
  void start() {
    connector.start();
  }

  /** What Californium is told of a message. */
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
  void refusesWhatAMoteCannotHoldAndWhatIsNotIpv6() throws Exception {
    assertThat(send("fe80::2", 1_233).error).contains("larger than a mote can hold");
    assertThat(send("127.0.0.1", 10).error).contains("IPv6 only");
    assertThat(mesh.waiting).isEmpty();
  }

  @Test
  void refusesMoreThanMayWaitAndTakesTheNextWhenOneIsDone() throws Exception {
    for (int i = 0; i < MeshConnector.MAX_PENDING; i++) {
      send("fe80::2", 10);
    }
    assertThat(send("fe80::2", 10).error).contains("too many");
    assertThat(connector.refused()).isEqualTo(1);
    mesh.waiting.removeFirst().done(null);
    send("fe80::2", 10);
    assertThat(mesh.waiting).hasSize(MeshConnector.MAX_PENDING);
  }

  @Test
  void aStoppedConnectorSendsNothing() throws Exception {
    connector.stop();
    assertThat(send("fe80::2", 10).error).contains("stopped");
  }
}
