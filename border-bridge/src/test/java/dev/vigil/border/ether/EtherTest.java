package dev.vigil.border.ether;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Fcs;
import dev.vigil.border.radio.RadioDrop;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.RadioListener;
import dev.vigil.border.radio.TxReport;
import dev.vigil.border.radio.TxStatus;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real UDP on loopback, real time, with a hundredth of the real airtime. */
class EtherTest {
  private static final String NODE_2 = "0002000200020002";
  private static final String NODE_3 = "0003000300030003";
  private static final String BROADCAST_OF_2 = "41d83acdabffff02000200020002007a3b3a1a9b0065190000";

  /** An acknowledgement arrives in time, even on a machine that is busy with other tests. */
  private static final long LONG_ACK_WAIT_MILLIS = 10_000;

  private final LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<RadioDrop> drops = new LinkedBlockingQueue<>();
  private Ether ether;
  private RadioLink link;

  private final RadioListener listener =
      new RadioListener() {
        @Override
        public void up(RadioLink link, Eui64 eui64) {}

        @Override
        public void down(RadioLink link) {}

        @Override
        public void received(RadioLink link, byte[] psdu, int lqi) {
          received.add(Hex.format(psdu));
        }

        @Override
        public void dropped(RadioLink link, RadioDrop reason) {
          drops.add(reason);
        }
      };

  private void start(Topology topology, long ackWaitMillis) throws IOException, WireException {
    EtherSettings settings = new EtherSettings(0, topology, 320, ackWaitMillis);
    ether = new Ether(settings, System::nanoTime, new Random(1));
    link = ether.localRadio(Eui64.parse("0001000100010001"), 0xabcd, 26);
    link.start(listener);
  }

  @BeforeEach
  void startFlat() throws IOException, WireException {
    start(Topology.everyone(), LONG_ACK_WAIT_MILLIS);
  }

  private void waitForAcknowledgements(long millis) throws IOException, WireException {
    stop();
    start(Topology.everyone(), millis);
  }

  @AfterEach
  void stop() {
    link.close();
  }

  private TestNode node(String eui64) throws IOException, WireException {
    return new TestNode("127.0.0.1", ether.port(), Eui64.parse(eui64));
  }

  private CompletableFuture<TxReport> send(String psdu) throws WireException {
    CompletableFuture<TxReport> report = new CompletableFuture<>();
    assertThat(link.send(Hex.parse(psdu), report::complete)).isTrue();
    return report;
  }

  private static String toNode2(int sequence) {
    return "61dc%02xcdab02000200020002000100010001000100aa".formatted(sequence);
  }

  @Test
  void carriesABroadcastToTheGatewayAndToEveryOtherNode() throws Exception {
    try (TestNode two = node(NODE_2);
        TestNode three = node(NODE_3)) {
      awaitNodes(2);
      two.send(Hex.parse(BROADCAST_OF_2));
      assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo(BROADCAST_OF_2);
      assertThat(three.receive()).isEqualTo(Hex.parse(BROADCAST_OF_2));
      assertThat(two.hearsNothingFor(50)).isTrue();
    }
  }

  @Test
  void aUnicastIsAcknowledgedByItsNodeOnly() throws Exception {
    try (TestNode two = node(NODE_2);
        TestNode three = node(NODE_3)) {
      awaitNodes(2);
      TxReport report = send(toNode2(5)).get(30, TimeUnit.SECONDS);
      assertThat(report).isEqualTo(new TxReport(TxStatus.OK, 1));
      assertThat(two.receive()).isEqualTo(Hex.parse(toNode2(5)));
      assertThat(three.acknowledged()).isEqualTo(5);
    }
  }

  @Test
  void retransmitsUntilAcknowledgedAndReportsTheNumber() throws Exception {
    waitForAcknowledgements(2_000);
    try (TestNode two = node(NODE_2)) {
      awaitNodes(1);
      two.ignoreNext(2);
      TxReport report = send(toNode2(6)).get(30, TimeUnit.SECONDS);
      assertThat(report).isEqualTo(new TxReport(TxStatus.OK, 3));
    }
  }

  @Test
  void anAbsentNodeIsReportedAfterFourTransmissions() throws Exception {
    waitForAcknowledgements(100);
    TxReport report = send(toNode2(7)).get(30, TimeUnit.SECONDS);
    assertThat(report).isEqualTo(new TxReport(TxStatus.NO_ACK, 4));
  }

  @Test
  void theGatewaysNodeAcknowledgesItsFrames() throws Exception {
    try (TestNode two = node(NODE_2)) {
      two.send(Hex.parse("61dc3bcdab01000100010001000200020002000200aa"));
      assertThat(two.acknowledged()).isEqualTo(0x3b);
    }
  }

  @Test
  void nodesHearEachOtherAsTheTopologyDefines() throws Exception {
    stop();
    start(
        Topology.parse("0001000100010001 " + NODE_2 + "\n" + NODE_2 + " " + NODE_3),
        LONG_ACK_WAIT_MILLIS);
    try (TestNode two = node(NODE_2);
        TestNode three = node(NODE_3)) {
      awaitNodes(2);
      three.send(Hex.parse("41d83acdabffff03000300030003007a"));
      assertThat(two.receive()).isNotNull();
      assertThat(received.poll(50, TimeUnit.MILLISECONDS)).isNull();
    }
  }

  @Test
  void aNodeOverIpv6JoinsTheSameAir() throws Exception {
    try (TestNode two = new TestNode("::1", ether.port(), Eui64.parse(NODE_2))) {
      two.send(Hex.parse(BROADCAST_OF_2));
      assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo(BROADCAST_OF_2);
    }
  }

  @Test
  void acceptsRiotsFcsAndForwardsTheStandardsOne() throws Exception {
    byte[] psdu = Hex.parse("41d83acdabffff02000200020002007a");
    byte[] framed = Fcs.append(psdu);
    int crc = 0;
    for (byte octet : psdu) {
      crc ^= (octet & 0xff) << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000) != 0 ? (crc << 1 ^ 0x1021) & 0xffff : crc << 1;
      }
    }
    framed[framed.length - 2] = (byte) crc;
    framed[framed.length - 1] = (byte) (crc >> 8);
    try (TestNode two = node(NODE_2)) {
      two.raw(new ZepPacket.Data(26, 1, 255, 0, 0, framed).toBytes());
      assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo(Hex.format(psdu));
    }
  }

  @Test
  void theGatewaysNodeCountsMalformedPacketsByReason() throws Exception {
    byte[] wrong = Fcs.append(Hex.parse(BROADCAST_OF_2));
    wrong[0] ^= 2;
    byte[] packet = new ZepPacket.Data(26, 1, 255, 0, 1, wrong).toBytes();
    try (DatagramSocket anybody = new DatagramSocket()) {
      InetAddress here = InetAddress.getLoopbackAddress();
      anybody.send(new DatagramPacket(packet, packet.length, here, ether.port()));
      anybody.send(new DatagramPacket(packet, 9, here, ether.port()));
    }
    assertThat(drops.poll(30, TimeUnit.SECONDS)).isEqualTo(RadioDrop.BAD_FCS);
    assertThat(drops.poll(30, TimeUnit.SECONDS)).isEqualTo(RadioDrop.MALFORMED);
    assertThat(ether.refused()).isEqualTo(2);
  }

  @Test
  void deliversTheNextFrameAfterMalformedPacketsAndFloods() throws Exception {
    Random random = new Random(3);
    try (TestNode two = node(NODE_2);
        TestNode flood = node(NODE_3)) {
      for (int i = 0; i < 20_000; i++) {
        byte[] octets = new byte[random.nextInt(300)];
        random.nextBytes(octets);
        if (i % 2 == 0 && octets.length > 4) {
          octets[0] = 'E';
          octets[1] = 'X';
          octets[2] = 2;
          octets[3] = 1;
        }
        flood.raw(octets);
      }
      for (int i = 0; i < 5_000; i++) {
        flood.send(new byte[125]);
      }
      // A flooded socket may drop packets, so the frame is sent until it is received.
      String heard = null;
      for (int i = 0; i < 50 && heard == null; i++) {
        two.send(Hex.parse(BROADCAST_OF_2));
        heard = received.poll(100, TimeUnit.MILLISECONDS);
      }
      assertThat(heard).isEqualTo(BROADCAST_OF_2);
      assertThat(ether.refused()).isGreaterThan(100);
    }
  }

  /** The kernel drops packets while the ether's thread is busy, so nodes repeat their hello. */
  @Test
  void refusesNodesBeyondItsCapacity() throws Exception {
    byte[] hello = new ZepPacket.Hello(null).toBytes();
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    List<DatagramSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < NodeTable.MAX_NODES + 44; i++) {
        sockets.add(new DatagramSocket(0, loopback));
      }
      long end = System.nanoTime() + 30_000_000_000L;
      while ((ether.nodes().size() < NodeTable.MAX_NODES || ether.refused() == 0)
          && System.nanoTime() < end) {
        for (DatagramSocket socket : sockets) {
          socket.send(new DatagramPacket(hello, hello.length, loopback, ether.port()));
        }
        link.send(Hex.parse(BROADCAST_OF_2), report -> {});
        LockSupport.parkNanos(10_000_000);
      }
      assertThat(ether.nodes()).hasSize(NodeTable.MAX_NODES);
      assertThat(ether.refused()).isPositive();
    } finally {
      sockets.forEach(DatagramSocket::close);
    }
  }

  /** The list of nodes is refreshed by the ether's thread about once a second. */
  private void awaitNodes(int count) throws InterruptedException {
    long end = System.nanoTime() + 30_000_000_000L;
    while (ether.nodes().size() < count && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
      Thread.yield();
    }
    assertThat(ether.nodes()).hasSizeGreaterThanOrEqualTo(count);
  }
}
