package dev.vigil.border.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.config.RadioConfig;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.RplOption;
import dev.vigil.border.ipv6.SourceRoute;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.link.LinkStatistics;
import dev.vigil.border.pipeline.BridgeDrop;
import dev.vigil.border.rpl.RplMessage;
import dev.vigil.border.rpl.RplNode;
import dev.vigil.border.sixlowpan.IpsecSaving;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.sixlowpan.NhcSupport;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.storage.CounterFile;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.californium.core.CoapClient;
import org.eclipse.californium.core.CoapResponse;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.core.network.serialization.UdpDataParser;
import org.eclipse.californium.core.network.serialization.UdpDataSerializer;
import org.eclipse.californium.elements.config.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bridge as root: one mote in reach, another behind it. */
class RplBridgeTest {
  private static final Ipv6Address FAR =
      new Ipv6Address(MeshConfig.DEFAULT_PREFIX.high(), 0x0203000300030003L);

  @TempDir Path folder;
  private Bridge bridge;
  private TestMote mote;

  @BeforeEach
  void start() throws IOException {
    BridgeConfig config = BridgeConfig.of(new RadioConfig.Virtual(0, null, 640));
    CounterFile counters = new CounterFile(folder.resolve("bridge.counters"));
    bridge = new Bridge(config, counters, Clock.systemUTC(), System::nanoTime, new Random(6550));
    bridge.start();
    mote = new TestMote(bridge.etherPort().orElseThrow(), 0x0002000200020002L);
  }

  @AfterEach
  void stop() {
    mote.close();
    bridge.close();
  }

  private Ipv6Packet up(Ipv6Address source, int protocol, byte[] message) {
    return Ipv6Packet.of(source, bridge.udp().address(), 64, protocol, message)
        .withExtensions(List.of(new RplOption(0, 0, 300).header()));
  }

  /** Sends a node's DAO and reads the acknowledgement. */
  private Ipv6Packet join(Ipv6Address node, Ipv6Address parent) throws Exception {
    RplMessage.Transit transit = new RplMessage.Transit(node, 128, 30, parent);
    Icmpv6 dao = new RplMessage.Dao(0, true, 241, null, List.of(transit)).toIcmp();
    mote.send(up(node, Protocol.ICMPV6, dao.encode(node, bridge.udp().address())));
    return mote.receive();
  }

  private static List<Ipv6Address> route(Ipv6Packet packet) throws Exception {
    ExtensionHeader.Routing header = (ExtensionHeader.Routing) packet.extensions().getFirst();
    return SourceRoute.parse(header, packet.destination()).addresses();
  }

  @Test
  void acknowledgesDaosThroughSourceRoutes() throws Exception {
    Ipv6Packet first = join(mote.mesh(), bridge.udp().address());
    assertThat(first.destination()).isEqualTo(mote.mesh());
    assertThat(route(first)).isEmpty();
    Ipv6Packet second = join(FAR, mote.mesh());
    assertThat(second.destination()).isEqualTo(mote.mesh());
    assertThat(route(second)).containsExactly(FAR);
    Icmpv6 ack = Icmpv6.parse(second.payload(), second.source(), FAR);
    assertThat(RplMessage.parse(ack)).isEqualTo(new RplMessage.DaoAck(0, 241, 0));
    BridgeTest.await(() -> bridge.topology().stream().anyMatch(node -> node.hops() == 2));
    assertThat(bridge.topology()).extracting(RplNode::parent).contains(mote.mesh());
  }

  /** RFC 6282 section 3.1.2: how nodes agree on contexts is left open. */
  @Test
  void usesAContextOnlyTowardsANeighbourThatUsedIt() throws Exception {
    join(mote.mesh(), bridge.udp().address());
    assertThat(mote.contextUsed).isTrue();
    try (TestMote riot =
        new TestMote(
            bridge.etherPort().orElseThrow(),
            0x0004000400040004L,
            MeshConfig.DEFAULT_PREFIX,
            Contexts.NONE)) {
      RplMessage.Transit transit = new RplMessage.Transit(riot.mesh(), 128, 30, null);
      byte[] dao =
          new RplMessage.Dao(0, true, 241, null, List.of(transit))
              .toIcmp()
              .encode(riot.linkLocal(), TestMote.gateway());
      riot.send(Ipv6Packet.of(riot.linkLocal(), TestMote.gateway(), 64, Protocol.ICMPV6, dao));
      Ipv6Packet answer = riot.receive();
      Icmpv6 ack = Icmpv6.parse(answer.payload(), answer.source(), answer.destination());
      assertThat(RplMessage.parse(ack)).isEqualTo(new RplMessage.DaoAck(0, 241, 0));

      Ipv6Address root = bridge.udp().address();
      byte[] echo = new Icmpv6(Icmpv6.ECHO_REQUEST, 0, new byte[8]).encode(riot.mesh(), root);
      riot.send(Ipv6Packet.of(riot.mesh(), root, 64, Protocol.ICMPV6, echo));
      Ipv6Packet reply = riot.receive();
      assertThat(reply.source()).isEqualTo(root);
      assertThat(reply.destination()).isEqualTo(riot.mesh());
      assertThat(riot.contextUsed).isFalse();
    }
  }

  @Test
  void motesBehindANeighbourAreKnownByIt() throws Exception {
    for (Ipv6Address heard : List.of(FAR, mote.mesh())) {
      mote.send(up(heard, Protocol.NO_NEXT_HEADER, new byte[0]));
      Inet6Address address = (Inet6Address) InetAddress.ofLiteral(heard.toString());
      BridgeTest.await(
          () -> bridge.neighbourOf(address).equals(OptionalLong.of(mote.eui64.interfaceId())));
    }
    assertThat(bridge.neighbourOf((Inet6Address) InetAddress.ofLiteral("fd00::9"))).isEmpty();
  }

  @Test
  void sendsAMulticastDioAfterADis() throws Exception {
    Icmpv6 dis = new RplMessage.Dis().toIcmp();
    byte[] message = dis.encode(mote.linkLocal(), TestMote.gateway());
    mote.send(Ipv6Packet.of(mote.linkLocal(), TestMote.gateway(), 64, Protocol.ICMPV6, message));
    Ipv6Packet packet = mote.receive();
    Icmpv6 icmp = Icmpv6.parse(packet.payload(), packet.source(), packet.destination());
    RplMessage.Dio dio = (RplMessage.Dio) RplMessage.parse(icmp);
    assertThat(dio.dodagId()).isEqualTo(bridge.udp().address());
    assertThat(dio.rank()).isEqualTo(128);
  }

  @Test
  void aCoapClientReachesAMoteTwoHopsAway() throws Exception {
    join(mote.mesh(), bridge.udp().address());
    join(FAR, mote.mesh());
    Configuration config = Configuration.createStandardWithoutFile();
    CoapEndpoint endpoint =
        CoapEndpoint.builder()
            .setConfiguration(config)
            .setConnector(bridge.connector(61_616))
            .build();
    CoapClient client = new CoapClient("coap://[" + FAR + "]/temperature").setEndpoint(endpoint);
    Thread answering = Thread.startVirtualThread(this::answerOneRequest);
    CoapResponse response = client.get();
    answering.join();
    endpoint.destroy();
    assertThat(response).isNotNull();
    assertThat(response.getResponseText()).isEqualTo("21.5");
  }

  private void answerOneRequest() {
    try {
      Ipv6Packet packet = mote.receive();
      assertThat(route(packet)).containsExactly(FAR);
      Udp udp = Udp.parse(packet.payload(), packet.source(), FAR);
      Request request = (Request) new UdpDataParser().parseMessage(udp.payload());
      Response response = new Response(CoAP.ResponseCode.CONTENT);
      response.setType(CoAP.Type.ACK);
      response.setMID(request.getMID());
      response.setToken(request.getToken());
      response.setPayload("21.5");
      byte[] octets = new UdpDataSerializer().getByteArray(response);
      byte[] message =
          new Udp(udp.destinationPort(), udp.sourcePort(), octets).encode(FAR, packet.source());
      mote.send(up(FAR, Protocol.UDP, message));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void forwardsBetweenMotesWithoutTheUpwardHeader() throws Exception {
    join(mote.mesh(), bridge.udp().address());
    join(FAR, mote.mesh());
    byte[] message = new Udp(1000, 2000, new byte[] {1, 2, 3}).encode(mote.mesh(), FAR);
    mote.send(up(mote.mesh(), Protocol.UDP, message).withDestination(FAR));
    Ipv6Packet packet = mote.receive();
    assertThat(packet.hopLimit()).isEqualTo(63);
    assertThat(packet.extensions()).hasSize(1);
    assertThat(route(packet)).containsExactly(FAR);
    assertThat(Udp.parse(packet.payload(), mote.mesh(), FAR).payload()).containsExactly(1, 2, 3);
  }

  private static ExtensionHeader.HopByHop routerAlert() throws WireException {
    return new ExtensionHeader.HopByHop(Hex.parse("050200000100"));
  }

  /** RFC 8200 section 4.1: hop-by-hop options come first. */
  @Test
  void insertsTheSourceRouteAfterHopByHopOptions() throws Exception {
    join(mote.mesh(), bridge.udp().address());
    join(FAR, mote.mesh());
    byte[] message = new Udp(1000, 2000, new byte[3]).encode(mote.mesh(), FAR);
    mote.send(
        up(mote.mesh(), Protocol.UDP, message)
            .withDestination(FAR)
            .withExtensions(List.of(routerAlert())));
    Ipv6Packet packet = mote.receive();
    assertThat(packet.extensions())
        .extracting(ExtensionHeader::protocol)
        .containsExactly(Protocol.HOP_BY_HOP, Protocol.ROUTING);
    assertThat(packet.finalDestination()).isEqualTo(FAR);
  }

  /** Octets that this root adds do not count: no host sends shorter fragments. */
  @Test
  void forwardsTheLongestPacketWithHopByHopOptions() throws Exception {
    join(mote.mesh(), bridge.udp().address());
    join(FAR, mote.mesh());
    byte[] message = new Udp(1000, 2000, new byte[1280 - 40 - 8 - 8]).encode(mote.mesh(), FAR);
    mote.send(
        up(mote.mesh(), Protocol.UDP, message)
            .withDestination(FAR)
            .withExtensions(List.of(routerAlert())));
    // The test's mote puts no more than 1280 octets together, so only its acknowledgements count.
    BridgeTest.await(() -> bridge.neighbours().getFirst().statistics().sent() > 12);
  }

  @Test
  void compressesEspForANeighbourOnceItHasDoneSo() throws Exception {
    join(mote.mesh(), bridge.udp().address());
    join(FAR, mote.mesh());
    List<String> reported = new CopyOnWriteArrayList<>();
    bridge.addSavingListener(
        (direction, packet, saved) ->
            reported.add(direction + " " + packet.protocol() + " " + saved));
    byte[] octets = Hex.parse("1100000100000005aabbccdd");
    Ipv6Packet esp = up(mote.mesh(), Protocol.ESP, octets).withDestination(FAR);
    mote.send(esp);
    assertThat(mote.receive().payload()).isEqualTo(octets);
    assertThat(mote.saving).isEqualTo(IpsecSaving.NONE);
    mote.nhc = NhcSupport.IPSEC;
    mote.send(esp);
    assertThat(mote.receive().payload()).isEqualTo(octets);
    assertThat(mote.saving).isEqualTo(new IpsecSaving(true, 1));
    assertThat(reported).containsExactly("IN 50 1", "OUT 50 1");
    LinkStatistics statistics = bridge.neighbours().getFirst().statistics();
    assertThat(statistics.savedIn()).isEqualTo(1);
    assertThat(statistics.savedOut()).isEqualTo(1);
  }

  @Test
  void anUnusedSourceRouteIsDroppedAndAUsedUpOneRemoved() throws Exception {
    join(mote.mesh(), bridge.udp().address());
    join(FAR, mote.mesh());
    byte[] message = new Udp(1000, 2000, new byte[3]).encode(mote.mesh(), FAR);
    Ipv6Packet plain = up(mote.mesh(), Protocol.UDP, message).withDestination(FAR);
    ExtensionHeader.Routing toAndFro = SourceRoute.through(FAR, List.of(mote.mesh(), FAR)).header();
    mote.send(plain.withExtensions(List.of(toAndFro)));
    BridgeTest.await(() -> bridge.dropped(BridgeDrop.NOT_FORWARDABLE) == 1);
    mote.send(
        plain.withExtensions(
            List.of(new ExtensionHeader.Routing(SourceRoute.TYPE, 0, toAndFro.data()))));
    Ipv6Packet packet = mote.receive();
    assertThat(packet.extensions()).hasSize(1);
    assertThat(route(packet)).containsExactly(FAR);
  }

  @Test
  void reportsAnUnknownDestinationToTheMote() throws Exception {
    join(mote.mesh(), bridge.udp().address());
    Ipv6Address nobody = Ipv6Address.parse("fd00::9");
    byte[] message = new Udp(1000, 2000, new byte[3]).encode(mote.mesh(), nobody);
    mote.send(up(mote.mesh(), Protocol.UDP, message).withDestination(nobody));
    Ipv6Packet packet = mote.receive();
    Icmpv6 icmp = Icmpv6.parse(packet.payload(), packet.source(), mote.mesh());
    assertThat(icmp.type()).isEqualTo(Icmpv6.DESTINATION_UNREACHABLE);
    assertThat(icmp.code()).isZero();
  }

  private RplMessage.Dio nextDio() throws Exception {
    while (true) {
      byte[] psdu = java.util.Objects.requireNonNull(mote.node.receive(), "no DIO arrived");
      Frame frame = Frame.parse(psdu);
      if (frame.destination().isBroadcast()) {
        LowpanCodec codec = new LowpanCodec(Contexts.mesh(MeshConfig.DEFAULT_PREFIX), 1);
        byte[] ipv6 =
            codec
                .accept(frame.payload(), frame.source(), frame.destination(), 0)
                .orElseThrow()
                .ipv6();
        Ipv6Packet packet = Ipv6Packet.parse(ipv6);
        Icmpv6 icmp = Icmpv6.parse(packet.payload(), packet.source(), packet.destination());
        return (RplMessage.Dio) RplMessage.parse(icmp);
      }
    }
  }

  @Test
  void globalRepairAndRestartEachTakeTheNextVersion() throws Exception {
    join(mote.mesh(), bridge.udp().address());
    BridgeTest.await(() -> bridge.topology().size() == 1);
    assertThat(bridge.dodagVersion()).hasValue(240);
    bridge.globalRepair();
    RplMessage.Dio dio = nextDio();
    while (dio.version() == 240) {
      dio = nextDio();
    }
    assertThat(dio.version()).isEqualTo(241);
    BridgeTest.await(() -> bridge.topology().isEmpty() && bridge.dodagVersion().orElse(0) == 241);
    stop();
    start();
    mote.send(mote.echoRequest(TestMote.gateway(), 1));
    assertThat(nextDio().version()).isEqualTo(242);
  }

  @Test
  void refreshingRoutesRaisesTheDtsnOverTheAir() throws Exception {
    join(mote.mesh(), bridge.udp().address());
    BridgeTest.await(() -> bridge.topology().size() == 1);
    bridge.refreshRoutes();
    RplMessage.Dio dio = nextDio();
    while (dio.dtsn() == 240) {
      dio = nextDio();
    }
    assertThat(dio.dtsn()).isEqualTo(241);
    assertThat(dio.version()).isEqualTo(240);
    assertThat(bridge.topology()).hasSize(1);
  }

  @Test
  void theTopologyContainsEachNodesSilence() throws Exception {
    join(mote.mesh(), bridge.udp().address());
    join(FAR, mote.mesh());
    BridgeTest.await(() -> bridge.topology().size() == 2);
    assertThat(bridge.topology()).extracting(RplNode::secondsSilent).allMatch(s -> s >= 0);
  }
}
