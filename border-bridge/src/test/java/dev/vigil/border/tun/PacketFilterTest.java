package dev.vigil.border.tun;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.tun.PacketFilter.Prefix;
import dev.vigil.border.tun.PacketFilter.Rule;
import dev.vigil.border.tun.PacketFilter.Way;
import dev.vigil.border.wire.WireException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PacketFilterTest {
  private Ipv6Address world;
  private Ipv6Address mote;

  @BeforeEach
  void addresses() throws WireException {
    world = Ipv6Address.parse("2001:db8::1");
    mote = Ipv6Address.parse("fd00::2");
  }

  private Ipv6Packet udp(int port) {
    byte[] message = new Udp(1, port, new byte[1]).encode(world, mote);
    return Ipv6Packet.of(world, mote, 64, Protocol.UDP, message);
  }

  @Test
  void theUsualOnesLetPassWhatMotesSpeakAndNothingElse() {
    assertThat(PacketFilter.USUAL.allows(Way.IN, udp(5683))).isTrue();
    Ipv6Packet tcp = Ipv6Packet.of(world, mote, 64, Protocol.TCP, new byte[20]);
    assertThat(PacketFilter.USUAL.allows(Way.IN, tcp)).isFalse();
    Ipv6Packet authenticatedTcp =
        tcp.withExtensions(List.of(new ExtensionHeader.Authentication(0, 1, 1, new byte[12])));
    assertThat(PacketFilter.USUAL.allows(Way.IN, authenticatedTcp)).isTrue();
  }

  @Test
  void theFirstRuleThatFitsDecides() {
    Prefix hosts = new Prefix(world, 32);
    PacketFilter filter =
        new PacketFilter(
            List.of(
                new Rule(false, Way.IN, Protocol.UDP, 5684, hosts, Prefix.EVERYWHERE),
                new Rule(
                    true, Way.IN, PacketFilter.ANY, PacketFilter.ANY, hosts, Prefix.EVERYWHERE)));
    assertThat(filter.allows(Way.IN, udp(5683))).isTrue();
    assertThat(filter.allows(Way.IN, udp(5684))).isFalse();
    assertThat(filter.allows(Way.OUT, udp(5683))).isFalse();
    assertThat(new PacketFilter(List.of()).allows(Way.IN, udp(5683))).isFalse();
  }

  @Test
  void eachSourceHasItsShareAndAllTogetherHaveTheirs() throws WireException {
    SourceLimit limit = new SourceLimit(10, 30, 0);
    int first = 0;
    for (int i = 0; i < 100; i++) {
      first += limit.take(world, 0) ? 1 : 0;
    }
    assertThat(first).as("a burst of two seconds").isEqualTo(20);
    int others = 0;
    for (int i = 0; i < 100; i++) {
      others += limit.take(new Ipv6Address(world.high(), 100 + i), 0) ? 1 : 0;
    }
    assertThat(others).isEqualTo(40);
    assertThat(limit.take(world, 500)).isTrue();
  }
}
