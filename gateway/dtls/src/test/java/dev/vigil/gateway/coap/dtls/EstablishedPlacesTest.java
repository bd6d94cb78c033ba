package dev.vigil.gateway.coap.dtls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.limits.Source;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.util.ClockUtil;
import org.eclipse.californium.scandium.config.DtlsConfig;
import org.eclipse.californium.scandium.config.DtlsConnectorConfig;
import org.eclipse.californium.scandium.dtls.DTLSContext;
import org.eclipse.californium.scandium.dtls.Handshaker;
import org.eclipse.californium.scandium.dtls.SessionAdapter;
import org.eclipse.californium.scandium.dtls.pskstore.AdvancedSinglePskStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sessions that share few places of a real DTLS server. */
class EstablishedPlacesTest {
  private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int PLACES = 4;

  private static final long SECONDS = 30;

  private final BlockingQueue<Handshaker> handshakes = new LinkedBlockingQueue<>();
  private FairConnectionStore connections;
  private DtlsServer server;

  @BeforeEach
  void start() throws Exception {
    DtlsConfig.register();
    connections = new FairConnectionStore(Source::of, Clock.systemUTC(), PLACES);
    server =
        new DtlsServer(
            DtlsConnectorConfig.builder(
                    new Configuration()
                        .set(DtlsConfig.DTLS_ROLE, DtlsConfig.DtlsRole.SERVER_ONLY)
                        .set(DtlsConfig.DTLS_CONNECTION_ID_LENGTH, 6))
                .setAddress(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))
                .setAdvancedPskStore(new AdvancedSinglePskStore("node-7", KEY))
                .setSessionListener(
                    new SessionAdapter() {
                      @Override
                      public void contextEstablished(Handshaker handshaker, DTLSContext context) {
                        handshakes.add(handshaker);
                      }
                    })
                .build(),
            connections,
            new ClientHelloRewriter(),
            DtlsServer.Carrier.KERNEL);
    server.setRawDataReceiver(
        request ->
            server.send(
                RawData.outbound(request.getBytes(), request.getEndpointContext(), null, false)));
    server.start();
  }

  @AfterEach
  void stop() {
    server.destroy();
    ClockUtil.setRealtimeHandler(System::nanoTime);
  }

  @Test
  void aSessionInUseOutlivesUnusedOnesOfItsAddress() throws Exception {
    try (DtlsTestClient busy = connect("127.0.2.1")) {
      for (int i = 0; i < 3 * PLACES; i++) {
        connect("127.0.2.1").close();
        assertTalks(busy, "after " + i);
      }
    }
    assertThat(connections.established()).isEqualTo(PLACES);
    assertThat(connections.halfOpen()).isZero();
  }

  @Test
  void sessionsIdleForADayGiveWayToNewAddresses() throws Exception {
    List<DtlsTestClient> clients = new ArrayList<>();
    try {
      for (int i = 1; i <= PLACES; i++) {
        clients.add(connect("127.0.2." + i));
      }
      connect("127.0.2.9").close();
      for (DtlsTestClient client : clients) {
        assertTalks(client, "still here");
      }
      long start = System.nanoTime();
      long later = start + FairConnectionStore.IDLE.plusMinutes(1).toNanos();
      ClockUtil.setRealtimeHandler(() -> later + System.nanoTime() - start);
      clients.add(connect("127.0.2.9"));
      assertTalks(clients.getLast(), "a day later");
      assertThat(connections.established()).isEqualTo(PLACES);
    } finally {
      clients.forEach(DtlsTestClient::close);
    }
  }

  /** A client whose handshake has ended at the server. */
  private DtlsTestClient connect(String from) throws Exception {
    InetSocketAddress own = new InetSocketAddress(InetAddress.ofLiteral(from), 0);
    DtlsTestClient client = new DtlsTestClient(own, server.getAddress(), "node-7", KEY);
    client.send("first");
    assertThat(handshakes.poll(SECONDS, TimeUnit.SECONDS)).as("handshake of %s", from).isNotNull();
    return client;
  }

  /** Asserts that a client gets an answer without another handshake. */
  private void assertTalks(DtlsTestClient client, String text) throws Exception {
    client.send(text);
    assertThat(client.answerTo(text, SECONDS)).isTrue();
    assertThat(handshakes).isEmpty();
  }
}
