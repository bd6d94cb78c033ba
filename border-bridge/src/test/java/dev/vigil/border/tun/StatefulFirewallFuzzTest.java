package dev.vigil.border.tun;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.tun.PacketFilter.Direction;
import dev.vigil.border.wire.WireException;
import java.util.Random;

class StatefulFirewallFuzzTest {
  private static final Ipv6Address MESH = new Ipv6Address(0xfd00L << 48, 0);
  private static final Ipv6Address KERNEL = new Ipv6Address(0xfd00L << 48, 1);

  @FuzzTest(maxDuration = "30s")
  void aPacketPassesOrIsRefusedTheSameWayTwice(byte[] octets) {
    try {
      Ipv6Packet packet = Ipv6Packet.parse(octets);
      StatefulFirewall firewall =
          new StatefulFirewall(PacketFilter.DEFAULT, new PacketRateLimiter(9, 9, 0), MESH, KERNEL);
      for (Direction way : new Direction[] {Direction.IN, Direction.OUT}) {
        FilterDrop first = firewall.check(way, packet, 0);
        assertThat(firewall.check(way, packet, 1)).isEqualTo(first);
      }
      RouterAdvertiser advertiser = new RouterAdvertiser(MESH, KERNEL, new Random(1), 0);
      advertiser.received(packet, 0);
    } catch (WireException e) {
      assertThat(e.reason()).isNotNull();
    }
  }
}
