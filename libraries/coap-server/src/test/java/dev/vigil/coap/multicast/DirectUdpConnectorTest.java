package dev.vigil.coap.multicast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.dispatch.WorkerPool;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.EndpointContext;
import org.eclipse.californium.elements.MessageCallback;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.UdpConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker's datagrams are sent together, those of other threads one by one. */
class DirectUdpConnectorTest {
  private static final int TIMEOUT_MILLIS = 20_000;

  /** More than one system call takes. */
  private static final int MANY = 50;

  private final WorkerPool workers = new WorkerPool(1, Thread::new);
  private final List<String> outcomes = new ArrayList<>();
  private DatagramSocket peer;

  @BeforeEach
  void openPeer() throws IOException {
    peer = new DatagramSocket();
    peer.setReceiveBufferSize(1 << 20);
    peer.setSoTimeout(TIMEOUT_MILLIS);
  }

  @AfterEach
  void close() {
    workers.shutdownNow();
    peer.close();
  }

  private static DirectUdpConnector start(String address) throws IOException {
    UdpConfig.register();
    Configuration config =
        new Configuration()
            .set(UdpConfig.UDP_SENDER_THREAD_COUNT, 0)
            .set(UdpConfig.UDP_RECEIVER_THREAD_COUNT, 1);
    DirectUdpConnector connector =
        new DirectUdpConnector(new InetSocketAddress(InetAddress.getByName(address), 0), config);
    connector.start();
    return connector;
  }

  private void send(boolean together, DirectUdpConnector connector, List<RawData> datagrams)
      throws Exception {
    CompletableFuture<Void> sent = new CompletableFuture<>();
    Runnable task = () -> datagrams.forEach(connector::send);
    if (!together) {
      task.run();
      return;
    }
    workers.execute(task);
    // The worker's next task begins after its datagrams were sent.
    workers.execute(() -> sent.complete(null));
    sent.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
  }

  private RawData datagram(byte[] octets, String host, int port) throws IOException {
    InetSocketAddress to = new InetSocketAddress(InetAddress.getByName(host), port);
    String name = octets.length > 4 ? octets.length + " octets" : new String(octets);
    return RawData.outbound(
        octets,
        new AddressEndpointContext(to),
        new MessageCallback() {
          @Override
          public void onConnecting() {}

          @Override
          public void onDtlsRetransmission(int flight) {}

          @Override
          public void onContextEstablished(EndpointContext context) {
            outcomes.add(name + " begins");
          }

          @Override
          public void onSent() {
            outcomes.add(name + " sent");
          }

          @Override
          public void onError(Throwable error) {
            outcomes.add(name + " failed: " + error.getClass().getSimpleName());
          }
        },
        false);
  }

  private List<RawData> numbered(int count, String host) throws IOException {
    List<RawData> datagrams = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      datagrams.add(datagram(Integer.toString(i).getBytes(), host, peer.getLocalPort()));
    }
    return datagrams;
  }

  private DatagramPacket receive() throws IOException {
    DatagramPacket received = new DatagramPacket(new byte[2048], 2048);
    peer.receive(received);
    return received;
  }

  private static String text(DatagramPacket received) {
    return new String(received.getData(), 0, received.getLength());
  }

  @ParameterizedTest
  @CsvSource({
    "true, 127.0.0.1, 127.0.0.1",
    "false, 127.0.0.1, 127.0.0.1",
    "true, ::1, ::1",
    "false, ::1, ::1",
    "true, ::, 127.0.0.1",
    "false, ::, 127.0.0.1",
    "true, ::, ::1",
    "true, 0.0.0.0, 127.0.0.1",
  })
  void datagramsArriveInOrderFromTheConnectorsAddress(boolean together, String from, String to)
      throws Exception {
    DirectUdpConnector connector = start(from);
    try {
      send(together, connector, numbered(MANY, to));
      for (int i = 0; i < MANY; i++) {
        DatagramPacket received = receive();
        assertThat(text(received)).isEqualTo(Integer.toString(i));
        assertThat(received.getSocketAddress())
            .isEqualTo(
                new InetSocketAddress(InetAddress.getByName(to), connector.getAddress().getPort()));
      }
      assertThat(outcomes)
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, MANY)
                  .boxed()
                  .flatMap(i -> List.of(i + " begins", i + " sent").stream())
                  .toList());
    } finally {
      connector.destroy();
    }
  }

  /** Datagrams that no network takes, of which one is also longer than the room of one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anErrorConcernsItsDatagramAlone(boolean together) throws Exception {
    DirectUdpConnector connector = start("127.0.0.1");
    try {
      int port = peer.getLocalPort();
      send(
          together,
          connector,
          List.of(
              datagram("a".getBytes(), "127.0.0.1", port),
              datagram("p".getBytes(), "127.0.0.1", 0),
              datagram("b".getBytes(), "127.0.0.1", port),
              datagram(new byte[70_000], "127.0.0.1", port),
              datagram(new byte[1500], "127.0.0.1", port),
              datagram("c".getBytes(), "127.0.0.1", port)));
      assertThat(text(receive())).isEqualTo("a");
      assertThat(text(receive())).isEqualTo("b");
      assertThat(receive().getLength()).isEqualTo(1500);
      assertThat(text(receive())).isEqualTo("c");
      assertThat(outcomes.stream().filter(outcome -> !outcome.endsWith("begins")))
          .hasSize(6)
          .contains("a sent", "b sent", "1500 octets sent", "c sent")
          .anyMatch(outcome -> outcome.startsWith("p failed"))
          .anyMatch(outcome -> outcome.startsWith("70000 octets failed"));
    } finally {
      connector.destroy();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClosedConnectorReportsErrorsAndLeavesItsPort(boolean together) throws Exception {
    DirectUdpConnector connector = start("127.0.0.1");
    send(together, connector, numbered(3, "127.0.0.1"));
    InetSocketAddress address = connector.getAddress();
    connector.stop();
    outcomes.clear();
    send(together, connector, numbered(2, "127.0.0.1"));
    assertThat(outcomes)
        .containsExactly("0 failed: InterruptedIOException", "1 failed: InterruptedIOException");
    try (DatagramSocket next = new DatagramSocket(address)) {
      assertThat(next.getLocalPort()).isEqualTo(address.getPort());
    }
  }

  @Test
  void datagramsOfOneTaskWaitForTheWorkersNextOwnTask() throws Exception {
    DirectUdpConnector connector = start("127.0.0.1");
    try {
      CompletableFuture<List<String>> meanwhile = new CompletableFuture<>();
      RawData first = datagram("x".getBytes(), "127.0.0.1", peer.getLocalPort());
      RawData second = datagram("y".getBytes(), "127.0.0.1", peer.getLocalPort());
      workers.execute(
          () -> {
            connector.send(first);
            workers.execute(
                () -> {
                  connector.send(second);
                  meanwhile.complete(List.copyOf(outcomes));
                });
          });
      assertThat(meanwhile.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS))
          .containsExactly("x begins", "y begins");
      assertThat(text(receive())).isEqualTo("x");
      assertThat(text(receive())).isEqualTo("y");
    } finally {
      connector.destroy();
    }
  }
}
