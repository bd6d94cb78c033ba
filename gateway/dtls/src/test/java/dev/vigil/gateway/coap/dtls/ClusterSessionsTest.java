package dev.vigil.gateway.coap.dtls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.testing.NatRelay;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.store.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.scandium.DTLSConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DTLS servers of two gateways on one store, and a client whose datagrams reach either. */
class ClusterSessionsTest {
  private static final byte[] KEY = "0123456789abcdef".getBytes(US_ASCII);
  private static final byte[] SECRET = "of the cluster".getBytes(US_ASCII);
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final InetSocketAddress ANY_PORT = new InetSocketAddress(LOOPBACK, 0);
  private static final long DEADLINE_NANOS = 20_000_000_000L;

  private final MemoryStore store = new MemoryStore();
  private final SettableClock clock = new SettableClock();
  private final KeyPair identity = new SleepyEndpoint("gateway").keys();
  private final List<Gateway> gateways = new ArrayList<>();
  private NatRelay relay;
  private DtlsTestClient client;
  private Gateway one;
  private Gateway two;

  private final class Gateway {
    final GatewayNumbers numbers;
    final DtlsListener listener;
    final int number;

    Gateway(String name, byte[] secret) {
      numbers = new GatewayNumbers(new Records(store, clock), name, Set::of);
      number = numbers.take();
      listener =
          new DtlsConnectors(Map.of("node-7", KEY), identity, Optional.empty(), List.of(), clock)
              .at(
                  ANY_PORT,
                  new ClusterSocket(
                      number, new ClusterSocket.Channel(ANY_PORT, secret, numbers.others(0))));
      gateways.add(this);
    }

    Gateway open() throws Exception {
      DTLSConnector connector = listener.connector();
      connector.setRawDataReceiver(
          message ->
              connector.send(
                  RawData.outbound(message.getBytes(), message.getEndpointContext(), null, false)));
      connector.start();
      numbers.publish(List.of(privateSocket()));
      return this;
    }

    InetSocketAddress privateSocket() {
      return listener.privateSocket().orElseThrow();
    }

    InetSocketAddress address() {
      return listener.connector().getAddress();
    }

    long handshakes() {
      return listener.statistics().completed();
    }

    DtlsStatistics.Forwarding forwarding() {
      return listener.statistics().forwarding();
    }
  }

  @BeforeEach
  void start() throws Exception {
    one = new Gateway("one", SECRET).open();
    two = new Gateway("two", SECRET).open();
    relay = new NatRelay(one.address());
    client = new DtlsTestClient(relay.port(), "node-7", KEY);
  }

  @AfterEach
  void stop() {
    client.close();
    relay.close();
    gateways.forEach(gateway -> gateway.listener.connector().destroy());
  }

  private static void await(LongSupplier counter, long least) {
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (counter.getAsLong() < least && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(counter.getAsLong()).isGreaterThanOrEqualTo(least);
  }

  @Test
  void aRecordThatArrivesAtAnotherGatewayReachesItsSession() throws Exception {
    assertThat(client.ask("first")).isEqualTo("first");
    relay.leadTo(two.address());
    relay.moveClient();
    assertThat(client.ask("second")).isEqualTo("second");
    relay.moveClient();
    assertThat(client.ask("third")).isEqualTo("third");
    relay.leadTo(one.address());
    assertThat(client.ask("fourth")).isEqualTo("fourth");
    assertThat(one.handshakes()).isEqualTo(1);
    assertThat(two.handshakes()).isZero();
    assertThat(two.forwarding().sent()).isGreaterThanOrEqualTo(2);
    assertThat(one.forwarding().received()).isEqualTo(two.forwarding().sent());
    assertThat(one.forwarding().sent()).isZero();
    assertThat(one.forwarding().refused() + two.forwarding().refused()).isZero();
  }

  @Test
  void aRestoredSessionIsReachedAtTheNewSocketOfItsGateway() throws Exception {
    assertThat(client.ask("first")).isEqualTo("first");
    one.listener.connector().stop();
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    one.listener.save(saved);
    Gateway again = new Gateway("one", SECRET);
    again.listener.load(new ByteArrayInputStream(saved.toByteArray()), 0, any -> true);
    again.open();
    relay.leadTo(two.address());
    assertThat(client.ask("second")).isEqualTo("second");
    assertThat(again.handshakes()).isZero();
    Gateway other = new Gateway("three", SECRET);
    other.listener.load(new ByteArrayInputStream(saved.toByteArray()), 0, any -> true);
    assertThat(other.listener.statistics().restored()).as("IDs of another number").isZero();
  }

  @Test
  void datagramsThatNoGatewaySentAreRefused() throws Exception {
    assertThat(client.ask("first")).isEqualTo("first");
    byte[] forged =
        ByteBuffer.allocate(64)
            .put((byte) 63)
            .putShort((short) 0x1234)
            .put((byte) 4)
            .put(LOOPBACK.getAddress())
            .array();
    try (DatagramSocket stranger = new DatagramSocket(ANY_PORT)) {
      stranger.send(new DatagramPacket(forged, forged.length, one.privateSocket()));
      stranger.send(new DatagramPacket(new byte[1], 1, one.privateSocket()));
    }
    await(() -> one.forwarding().refused(), 2);

    Gateway foreign = new Gateway("foreign", "of another".getBytes(US_ASCII)).open();
    relay.leadTo(foreign.address());
    client.send("second");
    await(() -> one.forwarding().refused(), 3);
    assertThat(one.forwarding().received()).isZero();
    relay.leadTo(one.address());
    assertThat(client.ask("third")).isEqualTo("third");
  }

  @Test
  void recordsOfAnUnknownGatewayAndLongOnesAreDropped() throws Exception {
    byte[] unknown = new byte[64];
    byte[] tooLong = new byte[20_000];
    for (byte[] record : List.of(unknown, tooLong)) {
      // RFC 9146: type tls12_cid, version 1.2, epoch 1, number 0, then the connection ID.
      ByteBuffer.wrap(record).put((byte) 25).putShort((short) 0xfefd).putShort((short) 1);
      record[11] = (byte) (record == unknown ? 77 : two.number);
    }
    try (DatagramSocket stranger = new DatagramSocket(ANY_PORT)) {
      stranger.send(new DatagramPacket(unknown, unknown.length, one.address()));
      stranger.send(new DatagramPacket(tooLong, tooLong.length, one.address()));
    }
    assertThat(client.ask("still")).isEqualTo("still");
    assertThat(one.forwarding().sent()).isZero();
  }
}
