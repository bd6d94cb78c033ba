package dev.vigil.border.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.ipv6.Ipv6Address;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MeshSocketTest {
  private static final int PORT = 5684;
  private static final Ipv6Address MOTE = Ipv6Address.linkLocal(2);
  private static final Ipv6Address ALL_COAP_NODES = new Ipv6Address(0xff02L << 48, 0xfd);

  private final StuckTransport transport = new StuckTransport();
  private MeshSocket socket;

  @BeforeEach
  void open() throws SocketException {
    socket = new MeshSocket(transport, PORT);
  }

  @AfterEach
  void close() {
    socket.close();
  }

  private boolean deliver(Ipv6Address to, byte... payload) {
    UdpDatagram datagram = new UdpDatagram(MOTE, 7, to, PORT, payload);
    return Objects.requireNonNull(transport.ports.get(PORT)).received(datagram);
  }

  private byte[] receive(int room) throws Exception {
    DatagramPacket packet = new DatagramPacket(new byte[room + 1], 1, room);
    socket.receive(packet);
    assertThat(packet.getSocketAddress())
        .isEqualTo(new InetSocketAddress(InetAddress.getByName("fe80::2"), 7));
    return Arrays.copyOfRange(packet.getData(), 1, 1 + packet.getLength());
  }

  private static DatagramPacket to(String host, int octets) throws Exception {
    return new DatagramPacket(new byte[octets], octets, InetAddress.getByName(host), 7);
  }

  @Test
  void datagramsAreReadInOrderAndCutToTheBuffer() throws Exception {
    assertThat(deliver(StuckTransport.SELF, (byte) 1, (byte) 2)).isTrue();
    assertThat(deliver(StuckTransport.SELF, (byte) 3, (byte) 4)).isTrue();
    assertThat(receive(2)).containsExactly(1, 2);
    assertThat(receive(1)).containsExactly(3);
  }

  @Test
  void isBoundToTheMeshAddressAndSendsFromItsPort() throws Exception {
    assertThat(socket.isBound()).isTrue();
    assertThat(socket.getLocalSocketAddress())
        .isEqualTo(new InetSocketAddress(InetAddress.getByName("fd00::1"), PORT));
    socket.send(
        new DatagramPacket(new byte[] {9, 8, 7}, 1, 2, InetAddress.getByName("fe80::2"), 7));
    UdpDatagram sent = transport.sent.getFirst();
    assertThat(sent.sourcePort()).isEqualTo(PORT);
    assertThat(sent.destination()).isEqualTo(MOTE);
    assertThat(sent.destinationPort()).isEqualTo(7);
    assertThat(sent.payload()).containsExactly(8, 7);
  }

  @Test
  void multicastAndDatagramsBeyondCapacityAreRefused() {
    assertThat(deliver(ALL_COAP_NODES, (byte) 1)).isFalse();
    for (int i = 0; i < MeshSocket.MAX_WAITING; i++) {
      assertThat(deliver(StuckTransport.SELF, (byte) i)).isTrue();
    }
    assertThat(deliver(StuckTransport.SELF, (byte) 1)).isFalse();
  }

  @Test
  void refusesLargeMessagesAndOtherProtocolsThanIpv6() throws Exception {
    DatagramPacket large = to("fe80::2", 1_233);
    assertThatThrownBy(() -> socket.send(large)).hasMessageContaining("are more than a mote's");
    DatagramPacket old = to("127.0.0.1", 10);
    assertThatThrownBy(() -> socket.send(old)).hasMessageContaining("IPv6 only");
    assertThat(transport.sent).isEmpty();
  }

  @Test
  void closingWakesAllReadersAndStopsSending() throws Exception {
    CompletableFuture<?>[] readers = {reader(), reader()};
    socket.close();
    for (CompletableFuture<?> reader : readers) {
      assertThat(reader.handle((none, error) -> error).get(30, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(SocketException.class);
    }
    assertThat(transport.ports).isEmpty();
    DatagramPacket late = to("fe80::2", 1);
    assertThatThrownBy(() -> socket.send(late)).isInstanceOf(SocketException.class);
  }

  private CompletableFuture<Void> reader() {
    return CompletableFuture.runAsync(
        () -> {
          try {
            receive(1);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        Thread.ofVirtual()::start);
  }
}
