package dev.vigil.border.tun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.SourceRoute;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.tun.PacketFilter.Direction;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireWriter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PacketFilterTest {
  private static final long SILENCE = FlowTable.SILENCE_MILLIS;

  private Ipv6Address world;
  private Ipv6Address mote;
  private Ipv6Address kernel;
  private StatefulFirewall defaultFirewall;

  @BeforeEach
  void addresses() throws WireException {
    world = Ipv6Address.parse("2001:db8::1");
    mote = Ipv6Address.parse("fd00::2");
    kernel = Ipv6Address.parse("fd00::1");
    defaultFirewall = firewall();
  }

  private StatefulFirewall firewall(String... rules) throws WireException {
    return firewall(new PacketRateLimiter(1e9, 1e9, 0), rules);
  }

  private StatefulFirewall firewall(PacketRateLimiter limit, String... rules) throws WireException {
    return new StatefulFirewall(
        PacketFilter.of(Stream.of(rules).map(PacketFilter.Rule::of).toList()),
        limit,
        Ipv6Address.parse("fd00::"),
        kernel);
  }

  private static Ipv6Packet udp(Ipv6Address from, int fromPort, Ipv6Address to, int toPort) {
    byte[] message = new Udp(fromPort, toPort, new byte[1]).encode(from, to);
    return Ipv6Packet.of(from, to, 64, Protocol.UDP, message);
  }

  private static Ipv6Packet icmp(Ipv6Address from, Ipv6Address to, int type, byte[] body) {
    byte[] message = new Icmpv6(type, 0, body).encode(from, to);
    return Ipv6Packet.of(from, to, 64, Protocol.ICMPV6, message);
  }

  private static Ipv6Packet echo(Ipv6Address from, Ipv6Address to, int type, int identifier) {
    return icmp(from, to, type, new WireWriter(4).u16(identifier).u16(1).toBytes());
  }

  private static Ipv6Packet error(Ipv6Address from, Ipv6Address to, Ipv6Packet about) {
    byte[] quoted = Arrays.copyOf(about.encode(), 48);
    return icmp(from, to, 1, new WireWriter().u32(0).bytes(quoted).toBytes());
  }

  private @Nullable FilterDrop in(Ipv6Packet packet) throws WireException {
    return defaultFirewall.check(Direction.IN, packet, 0);
  }

  private @Nullable FilterDrop out(Ipv6Packet packet) throws WireException {
    return defaultFirewall.check(Direction.OUT, packet, 0);
  }

  @ParameterizedTest
  @CsvSource({"5682,false", "5683,true", "5684,true", "5685,false", "53,false", "7000,false"})
  void unsolicitedUdpMustBeCoap(int port, boolean passes) throws WireException {
    assertThat(in(udp(world, 40_000, mote, port)))
        .isEqualTo(passes ? null : FilterDrop.FILTERED_IN);
  }

  @Test
  void espAndAhReachAMoteWithAnyContent() throws WireException {
    assertThat(in(Ipv6Packet.of(world, mote, 64, Protocol.ESP, new byte[30]))).isNull();
    Ipv6Packet tcp = Ipv6Packet.of(world, mote, 64, Protocol.TCP, new byte[20]);
    assertThat(in(tcp)).isEqualTo(FilterDrop.FILTERED_IN);
    assertThat(
            in(
                tcp.withExtensions(
                    List.of(new ExtensionHeader.Authentication(0, 1, 1, new byte[12])))))
        .isNull();
  }

  @Test
  void answersToAMotePassUntilFiveMinutesOfSilence() throws WireException {
    Ipv6Packet question = udp(mote, 9_000, world, 123);
    Ipv6Packet answer = udp(world, 123, mote, 9_000);
    assertThat(defaultFirewall.check(Direction.IN, answer, 0)).isEqualTo(FilterDrop.FILTERED_IN);
    assertThat(defaultFirewall.check(Direction.OUT, question, 0)).isNull();
    assertThat(defaultFirewall.check(Direction.IN, answer, SILENCE - 1)).isNull();
    assertThat(defaultFirewall.check(Direction.IN, answer, 2 * SILENCE - 2)).isNull();
    assertThat(defaultFirewall.check(Direction.IN, answer, 3 * SILENCE))
        .isEqualTo(FilterDrop.FILTERED_IN);
    assertThat(out(question)).isNull();
    assertThat(in(udp(world, 124, mote, 9_000))).isEqualTo(FilterDrop.FILTERED_IN);
    assertThat(in(udp(world, 123, mote, 9_001))).isEqualTo(FilterDrop.FILTERED_IN);
    Ipv6Address another = Ipv6Address.parse("2001:db8::2");
    assertThat(in(udp(another, 123, mote, 9_000))).isEqualTo(FilterDrop.FILTERED_IN);
  }

  @Test
  void onlyEchoRequestsOfIcmpPass() throws WireException {
    assertThat(in(echo(world, mote, Icmpv6.ECHO_REPLY, 7))).isEqualTo(FilterDrop.FILTERED_IN);
    assertThat(out(echo(mote, world, Icmpv6.ECHO_REQUEST, 7))).isNull();
    assertThat(in(echo(world, mote, Icmpv6.ECHO_REPLY, 7))).isNull();
    assertThat(in(echo(world, mote, Icmpv6.ECHO_REQUEST, 0))).isNull();
    assertThat(out(echo(mote, world, Icmpv6.ECHO_REPLY, 0))).isNull();
    for (int type : new int[] {133, 134, 135, 136, 137, 143, Icmpv6.RPL, 200}) {
      assertThat(in(icmp(world, mote, type, new byte[8])))
          .as("type %d", type)
          .isEqualTo(FilterDrop.FILTERED_IN);
    }
  }

  @Test
  void anIcmpErrorPassesOnlyAboutAnActiveFlow() throws WireException {
    Ipv6Packet question = udp(mote, 9_000, world, 123);
    assertThat(in(error(world, mote, question))).isEqualTo(FilterDrop.FILTERED_ERROR);
    assertThat(out(question)).isNull();
    assertThat(in(error(world, mote, question))).isNull();
    Ipv6Address router = Ipv6Address.parse("2001:db8:ffff::1");
    assertThat(in(error(router, mote, question))).as("of a router on the way").isNull();
    assertThat(in(error(world, mote, udp(mote, 9_000, world, 124))))
        .isEqualTo(FilterDrop.FILTERED_ERROR);
    Ipv6Packet request = udp(world, 40_000, mote, 5683);
    assertThat(in(request)).isNull();
    assertThat(out(error(mote, world, request))).isNull();
  }

  @Test
  void anIcmpErrorReachesOnlyTheQuotedSender() throws WireException {
    Ipv6Packet question = udp(mote, 9_000, world, 123);
    assertThat(out(question)).isNull();
    Ipv6Address neighbour = Ipv6Address.parse("fd00::3");
    assertThat(in(error(world, neighbour, question))).isEqualTo(FilterDrop.FILTERED_ERROR);
    Ipv6Packet request = udp(world, 40_000, mote, 5683);
    assertThat(in(request)).isNull();
    Ipv6Address elsewhere = Ipv6Address.parse("2001:db8::2");
    assertThat(out(error(mote, elsewhere, request))).isEqualTo(FilterDrop.FILTERED_ERROR);
  }

  @Test
  void anIcmpErrorThatQuotesTooLittleIsMalformed() {
    Ipv6Packet cut = icmp(world, mote, 1, new byte[20]);
    assertThatThrownBy(() -> in(cut)).isInstanceOf(WireException.class);
  }

  @Test
  void sourcesOfTheOtherSideAreDropped() throws WireException {
    assertThat(in(udp(Ipv6Address.parse("fd00::3"), 1, mote, 5683)))
        .isEqualTo(FilterDrop.FILTERED_SOURCE);
    assertThat(in(udp(kernel, 1, mote, 5683))).isNull();
    assertThat(out(udp(world, 1, kernel, 5683))).isEqualTo(FilterDrop.FILTERED_SOURCE);
    assertThat(out(udp(kernel, 1, world, 5683))).isEqualTo(FilterDrop.FILTERED_SOURCE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"::", "::1", "::ffff:7f00:1", "::7f00:1", "ff02::1", "fe80::1"})
  void addressesThatNoHostOutsideHasAreDropped(String text) throws WireException {
    Ipv6Address nobody = Ipv6Address.parse(text);
    StatefulFirewall firewall = firewall("allow both any");
    assertThat(firewall.check(Direction.IN, udp(nobody, 1, mote, 5683), 0))
        .isEqualTo(FilterDrop.FILTERED_SOURCE);
    assertThat(firewall.check(Direction.OUT, udp(mote, 1, nobody, 5683), 0))
        .isEqualTo(FilterDrop.FILTERED_OUT);
  }

  @Test
  void sourceRoutesFromOutsideAreDropped() throws WireException {
    Ipv6Packet routed =
        udp(world, 1, mote, 5683)
            .withExtensions(List.of(new ExtensionHeader.Routing(3, 0, new byte[4])));
    assertThat(in(routed)).isEqualTo(FilterDrop.FILTERED_ROUTE);
  }

  @Test
  void aRuleMatchesTheNextDestinationOfASourceRoute() throws WireException {
    StatefulFirewall firewall = firewall("deny out any to 2001:db8::/64", "allow out any");
    Ipv6Address allowed = Ipv6Address.parse("2001:db8:1::1");
    ExtensionHeader route = new SourceRoute(1, 0, 0, List.of(allowed)).header();
    Ipv6Packet routed = udp(mote, 1, world, 5683).withExtensions(List.of(route));
    assertThat(routed.finalDestination()).isEqualTo(allowed);
    assertThat(firewall.check(Direction.OUT, routed, 0)).isEqualTo(FilterDrop.FILTERED_OUT);
  }

  @Test
  void packetsForOtherNetworksDoNotEnterTheMesh() throws WireException {
    StatefulFirewall firewall = firewall("allow both any");
    Ipv6Address another = Ipv6Address.parse("2001:db8:ffff::1");
    assertThat(firewall.check(Direction.IN, udp(world, 1, another, 5683), 0))
        .isEqualTo(FilterDrop.FILTERED_IN);
    assertThat(firewall.check(Direction.IN, udp(world, 1, kernel, 5683), 0))
        .isEqualTo(FilterDrop.FILTERED_IN);
  }

  @Test
  void aFragmentMatchesEveryRuleThatDenies() throws WireException {
    Ipv6Packet whole =
        udp(world, 1, mote, 5684)
            .withExtensions(List.of(new ExtensionHeader.Fragment(0, 0, 0xabcd)));
    StatefulFirewall firewall = firewall("deny in udp 5684", "allow in any");
    assertThat(firewall.check(Direction.IN, whole, 0)).isEqualTo(FilterDrop.FILTERED_IN);
    assertThat(
            firewall("deny in udp 5684 from fd01::/64", "allow in any")
                .check(Direction.IN, whole, 0))
        .isNull();
    assertThat(firewall("allow in 44", "deny in udp 5684").check(Direction.IN, whole, 0)).isNull();
  }

  @Test
  void fragmentsPassOnlyWithARuleForThem() throws WireException {
    Ipv6Packet part =
        udp(world, 1, mote, 5683)
            .withExtensions(List.of(new ExtensionHeader.Fragment(0, 1, 0xabcd)));
    assertThat(in(part)).isEqualTo(FilterDrop.FILTERED_IN);
    assertThat(firewall("allow in 44").check(Direction.IN, part, 0)).isNull();
  }

  @Test
  void flowsFromOutsideDoNotDisplaceThoseOfMotes() throws WireException {
    assertThat(out(udp(mote, 9_000, world, 123))).isNull();
    for (int i = 0; i < 10_000; i++) {
      Ipv6Address other = new Ipv6Address(mote.high(), 3 + i % 200);
      assertThat(in(udp(world, i, i % 2 == 0 ? mote : other, 5683))).isNull();
    }
    assertThat(in(udp(world, 123, mote, 9_000))).isNull();
  }

  @Test
  void rateLimitedPacketsStartNoFlow() throws WireException {
    StatefulFirewall firewall = firewall(new PacketRateLimiter(1e9, 10, 0), "allow in udp 5683");
    assertThat(firewall.check(Direction.IN, udp(world, 1, mote, 5683), 0)).isNull();
    for (int i = 0; i < 10_000; i++) {
      firewall.check(Direction.IN, udp(world, 2 + i, mote, 5683), 0);
    }
    assertThat(firewall.check(Direction.IN, udp(world, 60_000, mote, 5683), 0))
        .isEqualTo(FilterDrop.RATE_LIMIT);
    assertThat(firewall.check(Direction.OUT, udp(mote, 5683, world, 1), 0))
        .as("the first answer")
        .isNull();
  }

  @Test
  void answersToMotesPassDuringAFloodFromOutside() throws WireException {
    StatefulFirewall firewall = firewall(new PacketRateLimiter(10, 50, 0));
    assertThat(firewall.check(Direction.OUT, udp(mote, 9_000, world, 123), 0)).isNull();
    for (int second = 0; second < 10; second++) {
      for (int i = 0; i < 1_000; i++) {
        Ipv6Address stranger = new Ipv6Address(world.high(), 1_000 + second * 1_000 + i);
        firewall.check(Direction.IN, udp(stranger, 1, mote, 5683), second * 1_000L + i);
      }
      assertThat(firewall.check(Direction.IN, udp(world, 123, mote, 9_000), second * 1_000L + 999))
          .isNull();
    }
  }

  @Test
  void flowsAreBoundedInTotalAndForEachMote() {
    FlowTable table = new FlowTable(100, 10);
    for (int i = 0; i < 1_000; i++) {
      table.record(new Flow(mote, i, world, 1, Protocol.UDP), 0);
    }
    assertThat(table.size()).isEqualTo(10);
    assertThat(table.isActive(new Flow(mote, 999, world, 1, Protocol.UDP), 0)).isTrue();
    assertThat(table.isActive(new Flow(mote, 0, world, 1, Protocol.UDP), 0)).isFalse();
    for (int i = 0; i < 1_000; i++) {
      Ipv6Address other = new Ipv6Address(mote.high(), i);
      table.record(new Flow(other, 1, world, 1, Protocol.UDP), 0);
    }
    assertThat(table.size()).isEqualTo(100);
  }

  @Test
  void theFirstMatchingRuleDecides() throws WireException {
    StatefulFirewall firewall =
        firewall("deny in udp 5684 from 2001:db8::/32", "allow in any from 2001:db8::/32");
    assertThat(firewall.check(Direction.IN, udp(world, 1, mote, 5683), 0)).isNull();
    assertThat(firewall.check(Direction.IN, udp(world, 1, mote, 5684), 0))
        .isEqualTo(FilterDrop.FILTERED_IN);
    assertThat(firewall.check(Direction.IN, udp(kernel, 1, mote, 5683), 0))
        .isEqualTo(FilterDrop.FILTERED_IN);
    assertThat(firewall.check(Direction.OUT, udp(mote, 9, world, 9), 0))
        .isEqualTo(FilterDrop.FILTERED_OUT);
    assertThat(firewall.check(Direction.OUT, udp(mote, 5683, world, 1), 0))
        .as("an answer")
        .isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "allow in udp 5683, true",
    "allow in udp 5000-6000 to fd00::/64, true",
    "allow both udp, true",
    "allow in 17 from 2001:db8::1 to fd00::2, true",
    "allow in any to fd00::3, false",
    "allow in udp 5684-6000, false",
    "allow out udp, false",
    "allow in tcp 5683, false",
    "deny in any, false",
  })
  void rulesReadAsOperatorsWriteThem(String rule, boolean passes) throws WireException {
    assertThat(firewall(rule).check(Direction.IN, udp(world, 1, mote, 5683), 0) == null)
        .isEqualTo(passes);
  }

  @ParameterizedTest
  @CsvSource({
    "permit in udp, permit",
    "allow inside udp, inside",
    "allow in quic, quic",
    "allow in 256, 256",
    "allow in udp 70000, 70000",
    "allow in udp 9-8, 9-8",
    "allow in udp from nowhere, nowhere",
    "allow in udp to fd00::/129, 129",
    "allow in udp 1 2, 2",
    "allow in udp to fd00:: from fd00::, from",
    "'', ''",
  })
  void aMalformedRuleIsReportedWithItsWord(String rule, String word) {
    assertThatThrownBy(() -> PacketFilter.Rule.of(rule))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + rule + "\"")
        .hasMessageContaining("instead of \"" + word + "\"");
  }

  @Test
  void eachSourceAndTheTotalAreLimited() throws WireException {
    PacketRateLimiter limit = new PacketRateLimiter(10, 30, 0);
    int first = 0;
    for (int i = 0; i < 100; i++) {
      first += limit.take(world, false, 0) ? 1 : 0;
    }
    assertThat(first).as("a burst of two seconds").isEqualTo(20);
    int others = 0;
    for (int i = 0; i < 100; i++) {
      others += limit.take(new Ipv6Address(world.high(), 100 + i), false, 0) ? 1 : 0;
    }
    assertThat(others).as("the reserve for answers remains").isEqualTo(25);
    int awaited = 0;
    for (int i = 0; i < 100; i++) {
      awaited += limit.take(new Ipv6Address(world.high(), 300 + i), true, 0) ? 1 : 0;
    }
    assertThat(awaited).isEqualTo(15);
    assertThat(limit.take(world, true, 500)).isTrue();
  }
}
