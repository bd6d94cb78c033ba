package dev.vigil.border.bridge;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.associations.AssociationStatus;
import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.config.RadioConfig;
import dev.vigil.border.host.UdpDatagram;
import dev.vigil.border.ipsec.Association;
import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.ipsec.AssociationFile.Entry;
import dev.vigil.border.ipsec.InboundAssociation;
import dev.vigil.border.ipsec.OutboundAssociation;
import dev.vigil.border.ipsec.SequenceCounter;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.sixlowpan.NhcSupport;
import dev.vigil.border.storage.CounterFile;
import dev.vigil.border.wire.Drop;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Associations between a mote and the bridge's own host, over the air. */
class IpsecBridgeTest {
  private static final int PORT = 7;

  @TempDir Path folder;
  private final BlockingQueue<UdpDatagram> received = new LinkedBlockingQueue<>();
  private Bridge bridge;
  private TestMote mote;
  private Ipv6Address self;
  private OutboundAssociation up;
  private InboundAssociation down;

  @BeforeEach
  void start() throws Exception {
    BridgeConfig config = BridgeConfig.of(new RadioConfig.Virtual(0, null, 640));
    CounterFile counters = new CounterFile(folder.resolve("bridge.counters"));
    bridge = new Bridge(config, counters, Clock.systemUTC(), System::nanoTime, new Random(4301));
    mote = new TestMote(bridge.etherPort().orElseThrow(), 0x0002000200020002L);
    self = MeshConfig.DEFAULT.address();
    AssociationFile file = file();
    bridge.associations().install(file, false, true);
    up = sending(file.entries().get(0));
    down = new InboundAssociation(file.entries().get(1).association(), 0);
    bridge.start();
    bridge.udp().bind(PORT, received::add);
  }

  @AfterEach
  void stop() {
    mote.close();
    bridge.close();
  }

  private AssociationFile file() throws Exception {
    return AssociationFile.parse(
        """
        in esp cbc-xcbc 0x11000001 %1$s %2$s %3$s1 %3$s2
        out esp cbc-xcbc 0x11000002 %2$s %1$s %3$s3 %3$s4
        """
            .formatted(mote.mesh(), self, "0".repeat(31)),
        16);
  }

  private static OutboundAssociation sending(Entry entry) {
    Association association = entry.association();
    return new OutboundAssociation(
        association, new SequenceCounter(OptionalLong.of(0), 100, n -> {}), new Random(7));
  }

  private Ipv6Packet udp(int octets) {
    return udp(PORT, octets);
  }

  private Ipv6Packet udp(int port, int octets) {
    byte[] message = new Udp(40_000, port, new byte[octets]).encode(mote.mesh(), self);
    return Ipv6Packet.of(mote.mesh(), self, 64, Protocol.UDP, message);
  }

  private UdpDatagram next() throws InterruptedException {
    return requireNonNull(received.poll(30, TimeUnit.SECONDS), "no packet within 30 seconds");
  }

  private long dropped(Drop reason) {
    return bridge.dropped(reason);
  }

  private AssociationStatus.Figures figures(int index) {
    return bridge.associations().statuses().get(index).figures().get();
  }

  @Test
  void aDatagramInEspIsDeliveredWithItsSourceProven() throws Exception {
    mote.send(up.protect(udp(20)));
    UdpDatagram datagram = next();
    assertThat(datagram.authenticated()).isTrue();
    assertThat(datagram.source()).isEqualTo(mote.mesh());
    assertThat(datagram.payload()).hasSize(20);
    assertThat(figures(0).packets()).isEqualTo(1);
  }

  @Test
  void destinationOptionsBeforeTheEspAreOpenedToo() throws Exception {
    Ipv6Packet sent = up.protect(udp(20));
    mote.send(sent.withExtensions(List.of(new ExtensionHeader.DestinationOptions(new byte[6]))));
    assertThat(next().payload()).hasSize(20);
  }

  @Test
  void aReceiverThatFailsLosesNoOtherPacketOfItsBatch() throws Exception {
    bridge
        .udp()
        .bind(
            6,
            datagram -> {
              throw new IllegalStateException("a receiver with a defect");
            });
    CompletableFuture<Boolean> released = BridgeTest.hold(bridge);
    mote.send(up.protect(udp(6, 3)));
    mote.send(up.protect(udp(20)));
    // When a frame is acknowledged, those before it are in the queue.
    mote.send(udp(1));
    released.complete(true);
    assertThat(next().payload()).hasSize(20);
  }

  @Test
  void anAnswerLeavesInEsp() throws Exception {
    mote.send(up.protect(udp(1)));
    next();
    bridge.udp().send(PORT, mote.mesh(), 40_000, new byte[30], error -> {});
    Ipv6Packet packet = mote.receive();
    assertThat(packet.protocol()).isEqualTo(Protocol.ESP);
    Ipv6Packet open = down.open(packet);
    assertThat(Udp.parse(open.payload(), open.source(), open.destination()).payload()).hasSize(30);
  }

  @Test
  void savingsOfCompressionAreCountedInBothDirections() throws Exception {
    mote.nhc = NhcSupport.IPSEC;
    mote.send(up.protect(udp(20)));
    next();
    bridge.udp().send(PORT, mote.mesh(), 40_000, new byte[30], error -> {});
    down.open(mote.receive());
    assertThat(figures(0).octetsSaved()).isPositive();
    assertThat(figures(1).octetsSaved()).isPositive().isEqualTo(mote.saving.octets());
  }

  @Test
  void aForgedPacketSavesNothing() throws Exception {
    mote.nhc = NhcSupport.IPSEC;
    Ipv6Packet sent = up.protect(udp(20));
    byte[] octets = sent.payload().clone();
    octets[octets.length - 1] ^= 1;
    mote.send(sent.withPayload(Protocol.ESP, octets));
    BridgeTest.await(() -> dropped(Drop.ICV_WRONG) == 1);
    assertThat(figures(0).octetsSaved()).isZero();
    mote.nhc = NhcSupport.CONTIKI_NG;
    mote.send(sent);
    next();
    assertThat(figures(0).octetsSaved()).isZero();
  }

  @Test
  void errorsAboutProtectedPacketsAreProtectedToo() throws Exception {
    mote.send(up.protect(udp(9, 4)));
    Ipv6Packet error = down.open(mote.receive());
    assertThat(error.protocol()).isEqualTo(Protocol.ICMPV6);
  }

  @Test
  void clearTextReplaysAndCorruptedPacketsGetNoAnswer() throws Exception {
    Ipv6Packet sent = up.protect(udp(3));
    mote.send(udp(3));
    BridgeTest.await(() -> dropped(Drop.POLICY) == 1);
    byte[] octets = sent.payload().clone();
    octets[octets.length - 1] ^= 1;
    mote.send(sent.withPayload(Protocol.ESP, octets));
    BridgeTest.await(() -> dropped(Drop.ICV_WRONG) == 1);
    mote.send(sent);
    mote.send(sent);
    BridgeTest.await(() -> dropped(Drop.SEQUENCE_REPLAYED) == 1);
    next();
    assertThat(received).isEmpty();
    assertThat(figures(0)).isEqualTo(new AssociationStatus.Figures(1, 40 + 8 + 3, 1, 1, 1, 0, 0));
  }
}
