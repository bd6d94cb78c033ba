package dev.vigil.gateway.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.link.LinkStatistics;
import dev.vigil.border.link.Neighbour;
import dev.vigil.border.link.RadioStatus;
import dev.vigil.border.rpl.RplNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The shape of a mesh whose slip-radio has another EUI-64 than the settings. */
class MeshShapeTest {
  private static final Eui64 CONFIGURED = new Eui64(0x02564947494c0001L);
  private static final Eui64 RADIO = new Eui64(0x0212740100010101L);
  private static final Eui64 NEAR = new Eui64(0x0002000200020002L);
  private static final Eui64 FAR = new Eui64(0x0003000300030003L);
  private static final LinkStatistics NONE =
      new LinkStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, null, new TreeMap<>());

  private static Ipv6Address address(Eui64 eui64) {
    return new Ipv6Address(0xfd00L << 48, eui64.interfaceId());
  }

  private static RplNode node(Eui64 eui64, Eui64 parent, int hops) {
    return new RplNode(address(eui64), address(parent), 256, hops, 600, 1);
  }

  private static Neighbour neighbour(Eui64 eui64) {
    return new Neighbour(eui64, "slip", Instant.EPOCH, -1, SecurityLevel.NONE, NONE);
  }

  private static List<MeshShape.Node> nodes(List<Neighbour> heard, List<RplNode> topology) {
    RadioStatus radio = new RadioStatus("slip", true, RADIO, 0, NONE);
    RadioStatus silent = new RadioStatus("other", false, null, 0, NONE);
    Set<Long> own = MeshShape.own(CONFIGURED, List.of(radio, silent));
    return MeshShape.nodes(own, heard, topology, Map.of(), Instant.EPOCH);
  }

  @Test
  void aNodeBelowTheSlipRadioIsBelowTheGateway() {
    assertThat(nodes(List.of(), List.of(node(NEAR, RADIO, 1), node(FAR, NEAR, 2))))
        .extracting(MeshShape.Node::parent)
        .containsExactly(null, 0, 1);
  }

  @Test
  void theSlipRadioIsNoNodeOfItsOwn() {
    List<RplNode> topology = List.of(node(RADIO, CONFIGURED, 1), node(NEAR, CONFIGURED, 1));
    assertThat(nodes(List.of(neighbour(RADIO), neighbour(FAR)), topology))
        .extracting(MeshShape.Node::parent)
        .containsExactly(null, 0, 0);
  }
}
