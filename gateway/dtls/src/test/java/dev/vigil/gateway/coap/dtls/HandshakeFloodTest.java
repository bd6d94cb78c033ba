package dev.vigil.gateway.coap.dtls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.scandium.DTLSConnector;
import org.eclipse.californium.scandium.config.DtlsConfig;
import org.eclipse.californium.scandium.config.DtlsConnectorConfig;
import org.eclipse.californium.scandium.dtls.pskstore.AdvancedSinglePskStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handshakes that stop after the cookie, against a real DTLS server. */
class HandshakeFloodTest {
  private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int FLOOD = 2_000;
  private static final int RECORD_HEADER = 13;
  private static final int COOKIE_LENGTH_AT = RECORD_HEADER + 12 + 2;

  private final BlockingQueue<RawData> received = new LinkedBlockingQueue<>();
  private DtlsListener listener;
  private DTLSConnector server;

  @BeforeEach
  void start() throws Exception {
    DtlsConnectors connectors =
        new DtlsConnectors(
            Map.of("node-7", KEY),
            new SleepyEndpoint("gateway").keys(),
            Optional.empty(),
            List.of(),
            Clock.systemUTC());
    listener = connectors.at(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
    server = listener.connector();
    server.setRawDataReceiver(received::add);
    server.start();
  }

  @AfterEach
  void stop() {
    server.destroy();
  }

  @Test
  void unfinishedHandshakesOfOneAddressLeaveRoomForOthers() throws Exception {
    for (int i = 0; i < FLOOD; i++) {
      beginHandshake("127.0.1.1").close();
    }
    assertThat(listener.halfOpen()).isBetween(1, FairConnectionStore.MAX_HALF_OPEN);
    for (int i = 2; i < 12; i++) {
      assertThat(talks("127.0.1." + i)).as("client %d", i).isTrue();
    }
  }

  @Test
  void unfinishedHandshakesOfOneIpv4NetworkLeaveRoomForOthers() throws Exception {
    holdAllPlaces();
    assertThat(talks("127.2.0.1")).isTrue();
  }

  @Test
  void aClientWithoutAPlaceIsNotAskedForItsCookieAgain() throws Exception {
    holdAllPlaces();
    try (DatagramSocket refused = beginHandshake("127.1.1.254")) {
      DatagramPacket answer = new DatagramPacket(new byte[2048], 2048);
      assertThatExceptionOfType(SocketTimeoutException.class)
          .isThrownBy(() -> refused.receive(answer));
    }
  }

  /** Each address of 127.1.0.0/16 that has a place holds one, so none is greedier than another. */
  private void holdAllPlaces() throws Exception {
    for (int i = 0; i < FairConnectionStore.MAX_HALF_OPEN; i++) {
      beginHandshake("127.1.%d.%d".formatted(i % 2 + 1, i / 2 + 1)).close();
    }
    await().until(() -> listener.halfOpen() == FairConnectionStore.MAX_HALF_OPEN);
  }

  @Test
  void aFinishedHandshakeReleasesItsPlace() throws Exception {
    for (int i = 1; i < 12; i++) {
      assertThat(talks("127.0.1." + i)).as("client %d", i).isTrue();
      assertThat(listener.halfOpen()).as("unfinished, after client %d", i).isZero();
    }
    assertThat(listener.statistics().sessions()).isEqualTo(11);
  }

  /**
   * Sends a ClientHello, and another one with the server's cookie; the rest never comes.
   *
   * @return waits for a second for a datagram
   */
  private DatagramSocket beginHandshake(String from) throws IOException {
    byte[] buffer = new byte[2048];
    DatagramPacket answer = new DatagramPacket(buffer, buffer.length);
    for (int tries = 0; tries < 30; tries++) {
      // Another port for each attempt: a late answer to an earlier one must not arrive.
      DatagramSocket socket =
          new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
      socket.setSoTimeout(1_000);
      socket.connect(server.getAddress());
      send(socket, clientHello(0, new byte[0]));
      try {
        socket.receive(answer);
        int length = buffer[COOKIE_LENGTH_AT] & 0xff;
        byte[] cookie =
            Arrays.copyOfRange(buffer, COOKIE_LENGTH_AT + 1, COOKIE_LENGTH_AT + 1 + length);
        send(socket, clientHello(1, cookie));
        return socket;
      } catch (SocketTimeoutException lost) {
        // The machine may be loaded: try again.
        socket.close();
      }
    }
    throw new IOException("the server sends no cookie");
  }

  private static void send(DatagramSocket socket, byte[] octets) throws IOException {
    socket.send(new DatagramPacket(octets, octets.length));
  }

  /** RFC 6347 section 4.2; offers TLS_PSK_WITH_AES_128_CCM_8. */
  private static byte[] clientHello(int number, byte[] cookie) {
    ByteBuffer body =
        ByteBuffer.allocate(43 + cookie.length)
            .putShort((short) 0xfefd)
            .put(new byte[32])
            .put((byte) 0)
            .put((byte) cookie.length)
            .put(cookie)
            .putShort((short) 2)
            .putShort((short) 0xc0a8)
            .put((byte) 1)
            .put((byte) 0);
    body.flip();
    int length = body.remaining();
    return ByteBuffer.allocate(RECORD_HEADER + 12 + length)
        .put((byte) 22)
        .putShort((short) 0xfefd)
        .putLong(number)
        .putShort((short) (12 + length))
        .putInt(0x01000000 | length)
        .putShort((short) number)
        .put(new byte[4])
        .putShort((short) length)
        .put(body)
        .array();
  }

  /** Whether a client shakes hands and its first message arrives. */
  private boolean talks(String from) throws Exception {
    DtlsConnectorConfig.Builder builder =
        DtlsConnectorConfig.builder(
                new Configuration().set(DtlsConfig.DTLS_ROLE, DtlsConfig.DtlsRole.CLIENT_ONLY))
            .setAddress(new InetSocketAddress(InetAddress.ofLiteral(from), 0))
            .setAdvancedPskStore(new AdvancedSinglePskStore("node-7", KEY));
    DTLSConnector client = new DTLSConnector(builder.build());
    try {
      client.setRawDataReceiver(datagram -> {});
      client.start();
      received.clear();
      client.send(
          RawData.outbound(
              from.getBytes(StandardCharsets.US_ASCII),
              new AddressEndpointContext(server.getAddress()),
              null,
              false));
      RawData message = received.poll(30, TimeUnit.SECONDS);
      return message != null
          && new String(message.getBytes(), StandardCharsets.US_ASCII).equals(from);
    } finally {
      client.destroy();
    }
  }
}
