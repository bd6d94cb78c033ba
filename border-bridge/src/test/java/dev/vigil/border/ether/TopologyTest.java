package dev.vigil.border.ether;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.ether.Topology.Edge;
import dev.vigil.border.ether.Topology.Node;
import dev.vigil.border.ieee802154.Eui64;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TopologyTest {
  private static final Node GATEWAY = new Node(0, new Eui64(0x0200000000000001L));
  private static final Node NEAR = new Node(1, new Eui64(0x0200000000000002L));
  private static final Node FAR = new Node(2, null);

  @Test
  void withoutAFileEachNodeHearsAllOthers() {
    Topology flat = Topology.everyone();
    assertThat(flat.edge(GATEWAY, FAR)).contains(new Edge(0, 0));
    assertThat(flat.edge(NEAR, NEAR)).isEmpty();
  }

  @Test
  void readsEdgesByEuiAndByIndexInBothDirections() {
    Topology line =
        Topology.parse(
            """
            # gateway - near - far
            02:00:00:00:00:00:00:01 0200000000000002 0.25 3
            1 2   # near and far
            """);
    assertThat(line.edge(NEAR, GATEWAY)).contains(new Edge(0.25, 3_000_000));
    assertThat(line.edge(GATEWAY, NEAR)).contains(new Edge(0.25, 3_000_000));
    assertThat(line.edge(FAR, NEAR)).contains(new Edge(0, 0));
    assertThat(line.edge(GATEWAY, FAR)).isEmpty();
  }

  @Test
  void anArrowGoesOneWay() {
    Topology topology = Topology.parse("0 > 1 0.5");
    assertThat(topology.edge(GATEWAY, NEAR)).map(Edge::loss).isEqualTo(Optional.of(0.5));
    assertThat(topology.edge(NEAR, GATEWAY)).isEmpty();
  }

  @Test
  void namesTheWrongLine() {
    assertThatThrownBy(() -> Topology.parse("0 1\n0 1 1.5"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("line 2");
    assertThatThrownBy(() -> Topology.parse("zero one")).hasMessageContaining("line 1");
    assertThatThrownBy(() -> Topology.parse("0 1 NaN")).hasMessageContaining("line 1");
  }
}
