package dev.vigil.coap.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SendSocketTest {
  private final DatagramArray array = new DatagramArray(4);
  private final List<Boolean> outcomes = new ArrayList<>();

  private void send(SendSocket socket, List<byte[]> datagrams, InetSocketAddress peer) {
    socket.send(
        array,
        datagrams.size(),
        datagrams::get,
        any -> peer,
        (i, sent) -> {
          assertThat(i).isEqualTo(outcomes.size());
          outcomes.add(sent);
        });
  }

  private static InetSocketAddress loopback(int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port);
  }

  @Test
  void theSystemCallTakesMoreDatagramsThanTheArrayHolds() throws IOException {
    try (DatagramSocket bound = new DatagramSocket(loopback(0));
        DatagramSocket peer = new DatagramSocket(loopback(0));
        SendSocket socket = SendSocket.of(bound)) {
      List<byte[]> datagrams = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        datagrams.add(new byte[] {(byte) i, 1});
      }
      send(socket, datagrams, loopback(peer.getLocalPort()));
      assertThat(outcomes).hasSize(10).doesNotContain(false);
      DatagramPacket received = new DatagramPacket(new byte[10], 10);
      for (int i = 0; i < 10; i++) {
        peer.receive(received);
        assertThat(received.getData()[0]).isEqualTo((byte) i);
        assertThat(received.getSocketAddress()).isEqualTo(bound.getLocalSocketAddress());
      }
    }
  }

  @Test
  void aDatagramLongerThanItsRoomIsLeftToTheCaller() throws IOException {
    try (DatagramSocket bound = new DatagramSocket(loopback(0));
        SendSocket socket = SendSocket.of(bound)) {
      byte[] most = new byte[DatagramArray.MAX_OCTETS];
      byte[] more = new byte[DatagramArray.MAX_OCTETS + 1];
      send(socket, List.of(most, more, most), loopback(bound.getLocalPort()));
      assertThat(outcomes).containsExactly(true, false, true);
    }
  }

  /** The number of the closed descriptor may belong to another file already. */
  @Test
  void nothingIsSentOnceItIsClosed() throws IOException {
    try (DatagramSocket bound = new DatagramSocket(loopback(0))) {
      SendSocket socket = SendSocket.of(bound);
      socket.close();
      socket.close();
      send(socket, List.of(new byte[2]), loopback(bound.getLocalPort()));
      assertThat(outcomes).containsExactly(false);
    }
  }

  @Test
  void anIpv4SocketLeavesIpv6PeersToTheCaller() throws IOException {
    byte[] octets = new byte[28];
    MemorySegment address = MemorySegment.ofArray(octets);
    InetSocketAddress ipv6 = new InetSocketAddress(InetAddress.getByName("::1"), 5683);
    assertThat(SocketAddresses.write(address, SocketAddresses.AF_INET, ipv6)).isZero();
    assertThat(SocketAddresses.write(address, SocketAddresses.AF_INET, loopback(5683)))
        .isEqualTo(16);
    assertThat(SocketAddresses.read(address)).isEqualTo(loopback(5683));
    assertThat(SocketAddresses.write(address, SocketAddresses.AF_INET6, ipv6)).isEqualTo(28);
    assertThat(SocketAddresses.read(address)).isEqualTo(ipv6);
  }

  @Test
  void anIpv6SocketSendsToMappedIpv4Addresses() throws IOException {
    byte[] octets = new byte[28];
    MemorySegment address = MemorySegment.ofArray(octets);
    assertThat(SocketAddresses.write(address, SocketAddresses.AF_INET6, loopback(5683)))
        .isEqualTo(28);
    assertThat(octets[18]).isEqualTo((byte) 0xff);
    assertThat(SocketAddresses.read(address)).isEqualTo(loopback(5683));
  }

  @Test
  void aSocketThatIsClosedIsNotFound() {
    assertThatThrownBy(
            () -> {
              DatagramSocket closed = new DatagramSocket(loopback(0));
              InetSocketAddress address = (InetSocketAddress) closed.getLocalSocketAddress();
              closed.close();
              assertThat(address.getPort()).isPositive();
              SendSocket.of(closed);
            })
        .isInstanceOf(IOException.class);
  }
}
