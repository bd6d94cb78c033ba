package dev.vigil.border.rpl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Vectors;
import dev.vigil.border.WireAssertions;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The root receives messages of unmodified Contiki-NG nodes. It is node 1 of the recordings. */
class RplRootTest {
  private static final Ipv6Address PREFIX = new Ipv6Address(0xfd00L << 48, 0);
  private static final Ipv6Address ROOT = mesh(1);

  /** A version store in memory. */
  private static final class Store implements VersionStore {
    OptionalInt version = OptionalInt.empty();

    @Override
    public OptionalInt load() {
      return version;
    }

    @Override
    public void save(int next) {
      version = OptionalInt.of(next);
    }
  }

  private final Store store = new Store();
  private final List<RplDrop> drops = new ArrayList<>();
  private RplRoot root;
  private long now;

  @BeforeEach
  void start() {
    root =
        new RplRoot(
            ROOT, PREFIX, RplRoot.DEFAULT_DIO_INTERVAL_MIN, store, new Random(6550), drops::add, 0);
  }

  private static Ipv6Address mesh(long node) {
    return new Ipv6Address(
        0xfd00L << 48, 0x0200_0000_0000_0000L | node * 0x0001_0001_0001L | node << 48);
  }

  private static Ipv6Address local(long node) {
    return Ipv6Address.linkLocal(mesh(node).low());
  }

  private static RplMessage rpl(Ipv6Packet packet) throws WireException {
    return RplMessage.parse(
        Icmpv6.parse(packet.payload(), packet.source(), packet.finalDestination()));
  }

  private static boolean isRpl(Ipv6Packet packet) {
    return packet.protocol() == Protocol.ICMPV6 && (packet.payload()[0] & 0xff) == Icmpv6.RPL;
  }

  /** Passes the messages of a recording's nodes to the root and returns its answers. */
  private List<RplRoot.Outgoing> feed(String file) throws WireException {
    List<RplRoot.Outgoing> answers = new ArrayList<>();
    for (Vectors.RecordedFrame frame : Vectors.contiki(file)) {
      byte[] ipv6 = frame.ipv6();
      if (ipv6 == null) {
        continue;
      }
      Ipv6Packet packet = Ipv6Packet.parse(ipv6);
      boolean fromRoot = packet.source().low() == ROOT.low();
      if (fromRoot && isRpl(packet) && rpl(packet) instanceof RplMessage.Dio dio) {
        restartAt(dio.version());
      }
      if (!fromRoot && isRpl(packet)) {
        now += 1_000;
        answers.addAll(root.receive(rpl(packet), packet.source(), packet.destination(), now));
      }
    }
    return answers;
  }

  /** Our root restarts with the next version at the same places as the recorded root. */
  private void restartAt(int version) {
    if (version != root.version()) {
      root =
          new RplRoot(
              ROOT,
              PREFIX,
              RplRoot.DEFAULT_DIO_INTERVAL_MIN,
              store,
              new Random(1),
              drops::add,
              now);
      assertThat(root.version()).isEqualTo(version);
    }
  }

  private RplMessage.Dao dao(long node, long parent, int lifetime) {
    return new RplMessage.Dao(
        0,
        true,
        241,
        null,
        List.of(new RplMessage.Transit(mesh(node), 128, lifetime, mesh(parent))));
  }

  private RplMessage.Dio dio(int version, int rank) {
    return new RplMessage.Dio(0, version, rank, 8, 240, ROOT, new byte[0]);
  }

  @Test
  void theFirstDioEqualsTheDioThatContikiNgAccepted() throws WireException {
    byte[] recorded =
        Vectors.contiki("forming.txt").stream()
            .filter(frame -> frame.line() > 0 && frame.ipv6() != null)
            .map(Vectors.RecordedFrame::ipv6)
            .filter(ipv6 -> Hex.format(ipv6).contains("9b01012100f0008008f0"))
            .findFirst()
            .orElseThrow();
    List<RplRoot.Outgoing> sent = new ArrayList<>();
    for (now = 0; sent.isEmpty(); now++) {
      sent.addAll(root.tick(now));
    }
    assertThat(sent.getFirst().destination()).isEqualTo(Ipv6Address.ALL_RPL_NODES);
    Ipv6Packet packet = Ipv6Packet.parse(recorded);
    Icmpv6 icmp = sent.getFirst().message().toIcmp();
    assertThat(Hex.format(icmp.encode(packet.source(), packet.destination())))
        .isEqualTo(Hex.format(packet.payload()));
    assertThat(now).isBetween(2_048L, 4_097L);
  }

  @Test
  void aShorterFirstIntervalIsUsedAndAnnouncedToTheNodes() {
    root = new RplRoot(ROOT, PREFIX, 9, store, new Random(6550), drops::add, 0);
    List<RplRoot.Outgoing> sent = new ArrayList<>();
    for (now = 0; sent.isEmpty(); now++) {
      sent.addAll(root.tick(now));
    }
    assertThat(now).isBetween(256L, 513L);
    RplMessage.Dio dio = (RplMessage.Dio) sent.getFirst().message();
    // Type, length, flags, doublings, then DIOIntervalMin (RFC 6550, section 6.7.6).
    assertThat(Hex.format(dio.options())).startsWith("040e000809");
  }

  @Test
  void parsesAndRebuildsEveryRecordedRplMessage() throws WireException {
    int messages = 0;
    for (String file : Vectors.contikiFiles()) {
      for (Vectors.RecordedFrame frame : Vectors.contiki(file)) {
        byte[] ipv6 = frame.ipv6();
        Ipv6Packet packet = ipv6 == null ? null : Ipv6Packet.parse(ipv6);
        if (packet != null && isRpl(packet)) {
          messages++;
          Icmpv6 icmp = rpl(packet).toIcmp();
          assertThat(Hex.format(icmp.encode(packet.source(), packet.finalDestination())))
              .as(frame.toString())
              .isEqualTo(Hex.format(packet.payload()));
        }
      }
    }
    assertThat(messages).isGreaterThan(200);
  }

  @Test
  void formingThreeHopsGivesTheRecordedRoutesAndDaoAcks() throws WireException {
    List<RplRoot.Outgoing> answers = feed("forming.txt");
    assertThat(root.route(mesh(2))).contains(List.of(mesh(2)));
    assertThat(root.route(mesh(3))).contains(List.of(mesh(2), mesh(3)));
    assertThat(root.route(mesh(4))).contains(List.of(mesh(2), mesh(3), mesh(4)));
    assertThat(answers)
        .containsExactly(
            new RplRoot.Outgoing(mesh(2), new RplMessage.DaoAck(0, 241, 0)),
            new RplRoot.Outgoing(mesh(3), new RplMessage.DaoAck(0, 241, 0)),
            new RplRoot.Outgoing(mesh(4), new RplMessage.DaoAck(0, 241, 0)));
    assertThat(root.nodes(now))
        .extracting(RplNode::address, RplNode::hops, RplNode::rank)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(mesh(2), 1, 310),
            org.assertj.core.groups.Tuple.tuple(mesh(3), 2, -1),
            org.assertj.core.groups.Tuple.tuple(mesh(4), 3, -1));
  }

  @Test
  void afterRestartsAndPoisoningAllNodesAreRouted() throws WireException {
    feed("rejoin.txt");
    for (int node = 2; node <= 4; node++) {
      assertThat(root.route(mesh(node))).isPresent();
    }
  }

  @Test
  void aRestartBumpsTheVersionDurably() {
    assertThat(root.version()).isEqualTo(240);
    RplRoot again =
        new RplRoot(
            ROOT, PREFIX, RplRoot.DEFAULT_DIO_INTERVAL_MIN, store, new Random(1), drops::add, 0);
    assertThat(again.version()).isEqualTo(241);
    assertThat(store.load()).hasValue(241);
  }

  @Test
  void globalRepairSendsANewVersionAndForgetsTheRoutes() throws WireException {
    feed("forming.txt");
    List<RplRoot.Outgoing> sent = root.globalRepair(now);
    assertThat(sent)
        .singleElement()
        .satisfies(send -> assertThat(((RplMessage.Dio) send.message()).version()).isEqualTo(241));
    assertThat(store.load()).hasValue(241);
    assertThat(root.route(mesh(2))).isEmpty();
  }

  @Test
  void refreshingRoutesRaisesTheDtsnAndKeepsThem() throws WireException {
    feed("forming.txt");
    RplMessage.Dio dio = (RplMessage.Dio) root.refreshRoutes(now).getFirst().message();
    assertThat(dio.dtsn()).isEqualTo(241);
    assertThat(dio.version()).isEqualTo(240);
    assertThat(root.route(mesh(4))).isPresent();
  }

  @Test
  void aNewerVersionInTheNetworkIsExceeded() {
    root.receive(dio(243, 300), local(2), Ipv6Address.ALL_RPL_NODES, 0);
    assertThat(root.version()).isEqualTo(244);
    assertThat(store.load()).hasValue(244);
  }

  @Test
  void aNewerVersionIsAdoptedOncePerShortestInterval() {
    root.receive(dio(243, 300), local(2), Ipv6Address.ALL_RPL_NODES, 0);
    root.receive(dio(246, 300), local(2), Ipv6Address.ALL_RPL_NODES, 4_095);
    assertThat(store.load()).hasValue(244);
    assertThat(drops).containsExactly(RplDrop.DIO_VERSION_TOO_SOON);
    root.receive(dio(246, 300), local(2), Ipv6Address.ALL_RPL_NODES, 4_096);
    assertThat(store.load()).hasValue(247);
  }

  @Test
  void messagesOfOtherDodagsAreCountedAndIgnored() {
    RplMessage.Dio other = new RplMessage.Dio(0, 250, 300, 8, 240, mesh(9), new byte[0]);
    root.receive(other, local(2), Ipv6Address.ALL_RPL_NODES, 0);
    root.receive(dio(250, 300), mesh(2), Ipv6Address.ALL_RPL_NODES, 0);
    RplMessage.Dao foreign = new RplMessage.Dao(7, true, 241, null, List.of());
    assertThat(root.receive(foreign, mesh(2), ROOT, 0)).isEmpty();
    assertThat(drops)
        .containsExactly(RplDrop.DIO_NOT_OURS, RplDrop.DIO_NOT_OURS, RplDrop.DAO_NOT_OURS);
    assertThat(root.version()).isEqualTo(240);
    assertThat(root.nodes(0)).isEmpty();
  }

  @Test
  void aMulticastDisIsAnsweredWithinTheShortestInterval() {
    now = 4096L * 511;
    for (long t = 0; t < now; t = Math.max(t + 1, root.deadline())) {
      root.tick(t);
    }
    assertThat(root.receive(new RplMessage.Dis(), local(2), Ipv6Address.ALL_RPL_NODES, now))
        .isEmpty();
    assertThat(root.deadline()).isBetween(now + 2_048, now + 4_096);
  }

  @Test
  void aUnicastDisIsAnsweredByAUnicastDio() {
    assertThat(root.receive(new RplMessage.Dis(), local(2), ROOT, 0))
        .singleElement()
        .extracting(RplRoot.Outgoing::destination)
        .isEqualTo(local(2));
  }

  @Test
  void aRouteEndsWithItsLifetimeAndTheSubtreeWithIt() {
    root.receive(dao(2, 1, 1), mesh(2), ROOT, 0);
    root.receive(dao(3, 2, 30), mesh(3), ROOT, 0);
    assertThat(root.deadline()).isLessThanOrEqualTo(60_000);
    root.tick(59_999);
    assertThat(root.route(mesh(3))).isPresent();
    root.tick(60_000);
    assertThat(root.route(mesh(2))).isEmpty();
    assertThat(root.route(mesh(3))).isEmpty();
  }

  @Test
  void aNoPathDaoAndAPoisoningDioRemoveTheRoute() {
    root.receive(dao(2, 1, 30), mesh(2), ROOT, 0);
    root.receive(dao(2, 1, 0), mesh(2), ROOT, 0);
    assertThat(root.route(mesh(2))).isEmpty();
    root.receive(dao(2, 1, 30), mesh(2), ROOT, 0);
    root.receive(dio(240, RplRoot.INFINITE_RANK), local(2), ROOT, 0);
    assertThat(root.route(mesh(2))).as("a unicast DIO is only a probe").isPresent();
    root.receive(dio(240, RplRoot.INFINITE_RANK), local(2), Ipv6Address.ALL_RPL_NODES, 0);
    assertThat(root.route(mesh(2))).isEmpty();
  }

  /** A node without a parent announces INFINITE_RANK (RFC 6550 section 8.2.2.5). */
  @Test
  void aNodeThatHasNotJoinedHasNoRank() {
    root.receive(dio(240, RplRoot.INFINITE_RANK), local(2), Ipv6Address.ALL_RPL_NODES, 0);
    assertThat(root.nodes(0)).extracting(RplNode::rank).containsExactly(-1);
    root.receive(dio(240, 300), local(2), Ipv6Address.ALL_RPL_NODES, 0);
    assertThat(root.nodes(0)).extracting(RplNode::rank).containsExactly(300);
  }

  /** RFC 6550 section 6.7.8: without a parent address, the parent is the receiver of the DAO. */
  @Test
  void aNeighbourNeedNotNameItsParent() {
    RplMessage.Dao parentless =
        new RplMessage.Dao(
            0, true, 241, null, List.of(new RplMessage.Transit(mesh(2), 128, 30, null)));
    // As RIOT sends it: between link-local addresses.
    assertThat(root.receive(parentless, local(2), local(1), 0))
        .containsExactly(new RplRoot.Outgoing(local(2), new RplMessage.DaoAck(0, 241, 0)));
    assertThat(root.route(mesh(2))).contains(List.of(mesh(2)));
    root.receive(dao(2, 1, 0), mesh(2), ROOT, 0);
    root.receive(parentless, mesh(2), local(1), 0);
    assertThat(root.route(mesh(2))).contains(List.of(mesh(2)));
    root.receive(dao(2, 1, 0), mesh(2), ROOT, 0);

    // Not from beyond a forwarder, and not for another node.
    assertThat(root.receive(parentless, mesh(2), ROOT, 0))
        .containsExactly(new RplRoot.Outgoing(mesh(2), new RplMessage.DaoAck(0, 241, 130)));
    assertThat(root.receive(parentless, local(3), local(1), 0))
        .containsExactly(new RplRoot.Outgoing(local(3), new RplMessage.DaoAck(0, 241, 130)));
    assertThat(root.route(mesh(2))).isEmpty();
  }

  @Test
  void aNodeCannotAnnounceAnother() {
    root.receive(dao(2, 1, 30), mesh(2), ROOT, 0);
    List<RplRoot.Outgoing> answer = root.receive(dao(2, 3, 30), mesh(3), ROOT, 0);
    assertThat(answer)
        .containsExactly(new RplRoot.Outgoing(mesh(3), new RplMessage.DaoAck(0, 241, 130)));
    assertThat(drops).containsExactly(RplDrop.DAO_REFUSED);
    assertThat(root.route(mesh(2))).contains(List.of(mesh(2)));
  }

  @Test
  void parentsInACircleAreNoRoute() {
    root.receive(dao(2, 3, 30), mesh(2), ROOT, 0);
    root.receive(dao(3, 2, 30), mesh(3), ROOT, 0);
    assertThat(root.route(mesh(2))).isEmpty();
    assertThat(root.nodes(0)).extracting(RplNode::hops).containsOnly(-1);
  }

  @Test
  void aFullTableRefusesNewNodesAndKeepsTheOldOnes() {
    for (int i = 0; i < 1_100; i++) {
      Ipv6Address node = new Ipv6Address(PREFIX.high(), 0x0200_0000_0001_0000L + i);
      RplMessage.Dao dao =
          new RplMessage.Dao(
              0, true, 1, null, List.of(new RplMessage.Transit(node, 128, 30, ROOT)));
      RplMessage.DaoAck ack =
          (RplMessage.DaoAck) root.receive(dao, node, ROOT, 0).getFirst().message();
      assertThat(ack.status()).isEqualTo(i < 1_024 ? 0 : 130);
    }
    assertThat(root.nodes(0)).hasSize(1_024);
  }

  @Test
  void aDaoWithTooManyTargetsAndParentsIsRefused() {
    WireWriter body = new WireWriter().u8(0).u8(0).u8(0).u8(1);
    for (int i = 0; i < 150; i++) {
      body.u8(RplMessage.OPTION_TARGET).u8(2).u16(0);
    }
    for (int i = 0; i < 100; i++) {
      body.u8(RplMessage.OPTION_TRANSIT).u8(4).u32(30);
    }
    assertThat(body.size()).isLessThan(Ipv6Packet.MIN_MTU);
    Icmpv6 dao = new Icmpv6(Icmpv6.RPL, RplMessage.CODE_DAO, body.toBytes());
    WireAssertions.refuses(Drop.RPL_OPTION, () -> RplMessage.parse(dao));
  }

  @Test
  void anyOctetsAreARplMessageOrRefused() {
    Random random = new Random(155);
    int parsed = 0;
    for (int i = 0; i < 50_000; i++) {
      byte[] body = new byte[random.nextInt(80)];
      random.nextBytes(body);
      if (body.length > 8) {
        body[4] = (byte) (random.nextBoolean() ? 5 : 6);
        body[5] = (byte) random.nextInt(24);
      }
      try {
        RplMessage message = RplMessage.parse(new Icmpv6(155, random.nextInt(5), body));
        root.receive(message, mesh(2), random.nextBoolean() ? Ipv6Address.ALL_RPL_NODES : ROOT, i);
        parsed++;
      } catch (WireException refused) {
        assertThat(refused.reason()).isNotNull();
      }
    }
    assertThat(parsed).isGreaterThan(5_000);
    assertThat(root.nodes(0).size()).isLessThanOrEqualTo(1_024);
  }
}
