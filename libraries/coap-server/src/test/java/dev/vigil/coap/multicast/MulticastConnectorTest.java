package dev.vigil.coap.multicast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.UdpConfig;
import org.junit.jupiter.api.Test;

class MulticastConnectorTest {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private final LinkedBlockingQueue<Byte> received = new LinkedBlockingQueue<>();

  private void receive(RawData datagram) {
    received.add(datagram.getBytes()[0]);
    throw new IllegalArgumentException("a datagram that the endpoint does not expect");
  }

  private static boolean isLoopback(NetworkInterface candidate) {
    try {
      return candidate.isLoopback();
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aDatagramThatFailsDoesNotEndDiscovery() throws IOException, InterruptedException {
    UdpConfig.register();
    MulticastConnector connector =
        new MulticastConnector(
            new InetSocketAddress(LOOPBACK, 0),
            new Configuration().set(UdpConfig.UDP_SENDER_THREAD_COUNT, 0),
            MulticastConnectorTest::isLoopback,
            System::nanoTime);
    connector.setRawDataReceiver(this::receive);
    connector.start();
    try (DatagramChannel client = DatagramChannel.open(StandardProtocolFamily.INET)) {
      client.bind(new InetSocketAddress(LOOPBACK, 0));
      client.setOption(
          StandardSocketOptions.IP_MULTICAST_IF, NetworkInterface.getByInetAddress(LOOPBACK));
      InetSocketAddress group =
          new InetSocketAddress(
              InetAddress.ofLiteral("224.0.1.187"), connector.getAddress().getPort());
      for (byte number = 1; number <= 2; number++) {
        client.send(ByteBuffer.wrap(new byte[] {number}), group);
        assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo(number);
      }
    } finally {
      connector.destroy();
    }
  }
}
