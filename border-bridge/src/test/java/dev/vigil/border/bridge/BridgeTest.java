package dev.vigil.border.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Tshark;
import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.config.RadioConfig;
import dev.vigil.border.ether.Ether;
import dev.vigil.border.ether.EtherSettings;
import dev.vigil.border.host.UdpDatagram;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.link.Neighbour;
import dev.vigil.border.link.RadioStatus;
import dev.vigil.border.pipeline.BridgeDrop;
import dev.vigil.border.storage.CounterFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.eclipse.californium.core.CoapResource;
import org.eclipse.californium.core.CoapServer;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.core.server.resources.CoapExchange;
import org.eclipse.californium.elements.config.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole bridge over real UDP, with a fiftieth of the real airtime. */
public class BridgeTest {
  private static final RadioConfig.Virtual FAST = new RadioConfig.Virtual(0, null, 640);

  @TempDir Path folder;
  private Bridge bridge;
  private TestMote mote;

  @BeforeEach
  void start() throws IOException {
    start(BridgeConfig.of(FAST));
    mote = new TestMote(bridge.etherPort().orElseThrow(), 0x0002000200020002L);
  }

  private void start(BridgeConfig config) throws IOException {
    CounterFile counters = new CounterFile(folder.resolve("bridge.counters"));
    bridge = new Bridge(config, counters, Clock.systemUTC(), System::nanoTime, new Random(802154));
    bridge.start();
  }

  @AfterEach
  void stop() {
    mote.close();
    bridge.close();
  }

  public static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + 20_000_000_000L;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  /** Keeps the pipeline from its queue until the future is completed. */
  static CompletableFuture<Boolean> hold(Bridge bridge) {
    CompletableFuture<Boolean> released = new CompletableFuture<>();
    Ipv6Address nobody = new Ipv6Address(MeshConfig.DEFAULT_PREFIX.high(), 0x1234);
    bridge.udp().send(5683, nobody, 5683, new byte[1], error -> released.join());
    return released;
  }

  private long dropped(Enum<?> reason) {
    return bridge.drops().getOrDefault(reason.name().toLowerCase(java.util.Locale.ROOT), 0L);
  }

  @Test
  void answersAnEchoRequestAndKnowsItsNeighbourAfterwards() throws Exception {
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    Ipv6Packet reply = mote.receive();
    assertThat(reply.source()).isEqualTo(TestMote.gateway());
    Icmpv6 icmp = Icmpv6.parse(reply.payload(), reply.source(), reply.destination());
    assertThat(icmp.type()).isEqualTo(Icmpv6.ECHO_REPLY);
    await(() -> bridge.neighbours().stream().anyMatch(n -> n.statistics().sent() == 1));
    Neighbour neighbour = bridge.neighbours().getFirst();
    assertThat(neighbour.eui64()).isEqualTo(mote.eui64);
    assertThat(neighbour.linkLocal()).isEqualTo(mote.linkLocal());
    assertThat(neighbour.level()).isEqualTo(SecurityLevel.NONE);
    assertThat(neighbour.statistics().received()).isEqualTo(1);
    assertThat(neighbour.statistics().etx()).as("a busy machine repeats").isBetween(1.0, 4.0);
    assertThat(bridge.radios().getFirst().statistics().octetsIn())
        .isEqualTo(neighbour.statistics().octetsIn())
        .isPositive();
  }

  @Test
  void answersAnEchoRequestThatFillsThePacketMotesCanHold() throws Exception {
    mote.send(mote.echoRequest(TestMote.gateway(), 1280 - 48));
    Ipv6Packet reply = mote.receive();
    Icmpv6 icmp = Icmpv6.parse(reply.payload(), reply.source(), reply.destination());
    assertThat(icmp.body()).hasSize(1280 - 44);
  }

  @Test
  void reportsAnUnreachablePort() throws Exception {
    mote.send(mote.udp(TestMote.gateway(), 9, new byte[5]));
    Ipv6Packet reply = mote.receive();
    Icmpv6 icmp = Icmpv6.parse(reply.payload(), reply.source(), reply.destination());
    assertThat(icmp.type()).isEqualTo(Icmpv6.DESTINATION_UNREACHABLE);
    assertThat(icmp.code()).isEqualTo(4);
    assertThat(icmp.body()).hasSize(4 + 40 + 8 + 5);
  }

  @Test
  void californiumServesCoapToAMote() throws Exception {
    CoapServer server = serve();
    try {
      Request get = Request.newGet();
      get.setMID(7);
      get.setToken(new byte[] {1});
      get.getOptions().addUriPath("hello");
      byte[] octets =
          new org.eclipse.californium.core.network.serialization.UdpDataSerializer()
              .getByteArray(get);
      mote.send(mote.udp(TestMote.gateway(), 5683, octets));
      Response response = response(mote.receive());
      assertThat(response.getCode()).isEqualTo(CoAP.ResponseCode.CONTENT);
      assertThat(response.getPayloadString()).isEqualTo("hello " + mote.linkLocal());
      assertThat(response.getMID()).isEqualTo(7);
    } finally {
      server.destroy();
    }
  }

  private CoapServer serve() throws IOException {
    Configuration config = Configuration.createStandardWithoutFile();
    CoapServer server = new CoapServer(config);
    server.add(
        new CoapResource("hello") {
          @Override
          public void handleGET(CoapExchange exchange) {
            String peer = exchange.getSourceAddress().getHostAddress();
            try {
              exchange.respond("hello " + Ipv6Address.parse(peer));
            } catch (dev.vigil.border.wire.WireException e) {
              exchange.respond(CoAP.ResponseCode.BAD_REQUEST, peer);
            }
          }
        });
    server.addEndpoint(
        CoapEndpoint.builder().setConfiguration(config).setConnector(bridge.connector()).build());
    server.start();
    return server;
  }

  private static Response response(Ipv6Packet packet) throws Exception {
    Udp udp = Udp.parse(packet.payload(), packet.source(), packet.destination());
    return (Response)
        new org.eclipse.californium.core.network.serialization.UdpDataParser()
            .parseMessage(udp.payload());
  }

  @Test
  void aReceiverThatFailsLosesNoOtherPacketOfItsBatch() throws Exception {
    CompletableFuture<UdpDatagram> received = new CompletableFuture<>();
    bridge
        .udp()
        .bind(
            6,
            datagram -> {
              throw new IllegalStateException("a receiver with a defect");
            });
    bridge.udp().bind(7, received::complete);
    CompletableFuture<Boolean> released = hold(bridge);
    mote.send(mote.udp(TestMote.gateway(), 6, new byte[3]));
    mote.send(mote.udp(TestMote.gateway(), 7, new byte[3]));
    // When a frame is acknowledged, those before it are in the queue.
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    released.complete(true);
    assertThat(received.get(30, TimeUnit.SECONDS).payload()).hasSize(3);
  }

  @Test
  void anUnroutableDestinationFailsAtOnce() throws Exception {
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    boolean taken =
        bridge
            .udp()
            .send(5683, Ipv6Address.parse("fd00::1234"), 5683, new byte[3], outcome::complete);
    assertThat(taken).isTrue();
    assertThat(outcome.get(30, TimeUnit.SECONDS)).hasMessageContaining("no route");
    assertThat(dropped(BridgeDrop.NO_ROUTE)).isEqualTo(1);
  }

  @Test
  void aSilentNeighbourCostsOnePacketAndTheNextOneGoesOut() throws Exception {
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    mote.receive();
    mote.node.ignoreNext(4);
    bridge.udp().send(5683, mote.linkLocal(), 9000, new byte[400], error -> {});
    bridge.udp().send(5683, mote.linkLocal(), 9001, new byte[4], error -> {});
    Ipv6Packet packet = mote.receive();
    Udp udp = Udp.parse(packet.payload(), packet.source(), packet.destination());
    assertThat(udp.destinationPort()).isEqualTo(9001);
    assertThat(dropped(BridgeDrop.TX_NO_ACK)).isEqualTo(1);
  }

  @Test
  void packetsWithImpossibleSourcesAreDropped() throws Exception {
    for (String source :
        List.of("::1", "fd00::56:4947:494c:1", "fe80::56:4947:494c:1", "2001:db8::1", "ff02::1")) {
      Ipv6Address from = Ipv6Address.parse(source);
      byte[] message = new Udp(5683, 5683, new byte[4]).encode(from, TestMote.gateway());
      mote.send(Ipv6Packet.of(from, TestMote.gateway(), 64, Protocol.UDP, message));
    }
    await(() -> dropped(BridgeDrop.SOURCE_IMPOSSIBLE) == 5);
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    assertThat(mote.receive().protocol()).isEqualTo(Protocol.ICMPV6);
  }

  @Test
  void malformedFramesAreCountedAndNothingStops() throws Exception {
    Random random = new Random(6282);
    for (int i = 0; i < 3_000; i++) {
      byte[] payload = new byte[random.nextInt(100)];
      random.nextBytes(payload);
      if (payload.length > 0 && i % 3 == 0) {
        payload[0] = (byte) (0x60 + random.nextInt(0x20));
      } else if (payload.length > 0 && i % 3 == 1) {
        payload[0] = (byte) (0xc0 + random.nextInt(0x28));
      }
      Frame frame =
          Frame.data(
              i & 0xff,
              0xabcd,
              LinkAddress.of(MeshConfig.DEFAULT_EUI64),
              LinkAddress.of(mote.eui64),
              false,
              payload);
      mote.node.send(frame.encode());
      if (i % 16 == 0) {
        mote.node.hearsNothingFor(1);
      }
    }
    await(() -> bridge.drops().values().stream().mapToLong(Long::longValue).sum() > 500);
    assertThat(bridge.drops().size()).isGreaterThan(5);
    try (TestMote other = new TestMote(bridge.etherPort().orElseThrow(), 0x0003000300030003L)) {
      // The pipeline's queue may still be full of malformed frames.
      Ipv6Packet answer = other.ask(other.echoRequest(TestMote.gateway(), 8));
      assertThat(answer.protocol()).isEqualTo(Protocol.ICMPV6);
    }
  }

  @Test
  void aCaptureOfAnEchoIsDecodedByTsharkWithoutMalformedPackets() throws Exception {
    mote.close();
    bridge.close();
    Path file = folder.resolve("bridge.pcapng");
    start(BridgeConfig.of(FAST).withCapture(file));
    mote = new TestMote(bridge.etherPort().orElseThrow(), 0x0002000200020002L);
    CoapServer server = serve();
    mote.send(mote.echoRequest(TestMote.gateway(), 300));
    mote.receive();
    server.destroy();
    bridge.close();
    List<String> lines = Tshark.fields(file, "icmpv6.type", "_ws.malformed", "_ws.col.Protocol");
    assertThat(lines).noneMatch(line -> line.contains("alformed"));
    assertThat(lines).anyMatch(line -> line.startsWith("128\t"));
    assertThat(lines).anyMatch(line -> line.startsWith("129\t"));
  }

  @Test
  void joinsTheEtherOfAnotherProcess() throws Exception {
    mote.close();
    bridge.close();
    EtherSettings settings = EtherSettings.on(0).withOctetNanos(640);
    try (Ether ether = new Ether(settings, System::nanoTime, new Random(1))) {
      ether.start();
      start(BridgeConfig.of(new RadioConfig.Zep("127.0.0.1", ether.port())));
      await(() -> ether.nodes().size() == 1);
      mote = new TestMote(ether.port(), 0x0002000200020002L);
      mote.send(mote.echoRequest(TestMote.gateway(), 200));
      assertThat(mote.receive().protocol()).isEqualTo(Protocol.ICMPV6);
      assertThat(bridge.radios()).extracting(RadioStatus::up).containsExactly(true);
    }
  }
}
