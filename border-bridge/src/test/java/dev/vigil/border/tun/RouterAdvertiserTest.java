package dev.vigil.border.tun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RouterAdvertiserTest {
  private Ipv6Address self;
  private Ipv6Address host;
  private RouterAdvertiser advertiser;

  @BeforeEach
  void make() throws WireException {
    self = Ipv6Address.parse("fe80::1");
    host = Ipv6Address.parse("fe80::2");
    advertiser = new RouterAdvertiser(Ipv6Address.parse("fd00::"), self, new Random(1), 0);
  }

  private static Ipv6Packet icmp(
      Ipv6Address from, Ipv6Address to, int hopLimit, int type, String body) throws WireException {
    byte[] message = new Icmpv6(type, 0, Hex.parse(body)).encode(from, to);
    return Ipv6Packet.of(from, to, hopLimit, Protocol.ICMPV6, message);
  }

  @Test
  void advertisesPrefixAndRouteButNoDefaultRouter() throws WireException {
    Ipv6Packet packet = advertiser.tick(0).orElseThrow();
    assertThat(packet.source()).isEqualTo(self);
    assertThat(packet.destination()).isEqualTo(Ipv6Address.ALL_NODES);
    assertThat(packet.hopLimit()).isEqualTo(255);
    Icmpv6 icmp = Icmpv6.parse(packet.payload(), packet.source(), packet.destination());
    assertThat(icmp.type()).isEqualTo(134);
    assertThat(Hex.format(icmp.body()))
        .isEqualTo(
            "000000000000000000000000"
                + "03044080ffffffffffffffff00000000fd000000000000000000000000000000"
                + "0501000000000500"
                + "1802400000000708fd00000000000000");
  }

  @Test
  void sendsThreeEverySixteenSecondsThenOneInTenMinutes() {
    List<Long> sent = new ArrayList<>();
    for (long now = 0; now < 10_000_000; now += 500) {
      if (advertiser.tick(now).isPresent()) {
        sent.add(now);
      }
    }
    assertThat(sent).startsWith(0L, 16_000L, 32_000L);
    assertThat(sent.size()).isBetween(15, 60);
    for (int i = 3; i < sent.size(); i++) {
      assertThat(sent.get(i) - sent.get(i - 1)).isBetween(200_000L, 600_500L);
    }
  }

  @Test
  void aSolicitationIsAnsweredOnceInThreeSeconds() throws WireException {
    Ipv6Packet asking = icmp(host, Ipv6Address.ALL_ROUTERS, 255, 133, "00000000");
    assertThat(advertiser.received(asking, 0).orElseThrow().destination()).isEqualTo(host);
    assertThat(advertiser.received(asking, 2_999)).isEmpty();
    assertThat(advertiser.received(asking, 3_000)).isPresent();
  }

  @Test
  void aSolicitationWithoutAddressIsAnsweredByMulticast() throws WireException {
    Ipv6Packet asking =
        icmp(Ipv6Address.UNSPECIFIED, Ipv6Address.ALL_ROUTERS, 255, 133, "00000000");
    assertThat(advertiser.received(asking, 0).orElseThrow().destination())
        .isEqualTo(Ipv6Address.ALL_NODES);
    Ipv6Packet withLinkAddress =
        icmp(
            Ipv6Address.UNSPECIFIED, Ipv6Address.ALL_ROUTERS, 255, 133, "000000000101020304050607");
    assertThat(advertiser.received(withLinkAddress, 9_000)).isEmpty();
  }

  @Test
  void invalidSolicitationsAreIgnored() throws WireException {
    assertThat(advertiser.received(icmp(host, Ipv6Address.ALL_ROUTERS, 64, 133, "00000000"), 0))
        .as("it crossed a router")
        .isEmpty();
    assertThat(advertiser.received(icmp(host, Ipv6Address.ALL_ROUTERS, 255, 128, "00000000"), 0))
        .isEmpty();
    assertThat(advertiser.received(icmp(host, Ipv6Address.ALL_NODES, 255, 133, "00000000"), 0))
        .isEmpty();
    assertThat(
            advertiser.received(icmp(host, Ipv6Address.ALL_ROUTERS, 255, 133, "000000000100"), 0))
        .as("an option without length")
        .isEmpty();
    Ipv6Packet cut = icmp(host, Ipv6Address.ALL_ROUTERS, 255, 133, "00");
    assertThatThrownBy(() -> advertiser.received(cut, 0)).isInstanceOf(WireException.class);
  }

  @Test
  void theWithdrawalEndsTheRoute() throws WireException {
    Ipv6Packet packet = advertiser.withdrawal();
    Icmpv6 icmp = Icmpv6.parse(packet.payload(), packet.source(), packet.destination());
    assertThat(Hex.format(icmp.body())).endsWith("1802400000000000fd00000000000000");
  }
}
