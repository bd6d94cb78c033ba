package dev.vigil.gateway.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.network.NetworkView.CaptureView;
import dev.vigil.gateway.network.NetworkView.LinkView;
import dev.vigil.gateway.network.NetworkView.NodeView;
import dev.vigil.gateway.network.NetworkView.RadioView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes as things that have their own events. */
class NetworkSamplerTest {
  private static final LinkView NONE = new LinkView(0, 0, 0, 0, 0, 0, 0, 0, 0, null, Map.of());
  private static final String ADDRESS = "fd00::1";

  private final NetworkSampler sampler = new NetworkSampler();

  /** The figures of a node that was silent for this long. */
  private Object heard(long atSeconds, long silent) {
    NodeView node = new NodeView(ADDRESS, null, 256, 1, 600L - silent, silent, null, null, null);
    NetworkView view =
        new NetworkView(
            new RadioView("0xabcd", 26, "fd00::/64", "", null),
            List.of(),
            List.of(),
            NONE,
            240,
            1,
            List.of(node),
            Map.of(),
            new CaptureView(0, 0));
    return sampler.network(view, 1000 * atSeconds).stream()
        .filter(thing -> thing.key().event().equals("node"))
        .findFirst()
        .orElseThrow()
        .figures();
  }

  @Test
  void silenceIsNoChange() {
    Object first = heard(1_000, 5);
    assertThat(heard(1_007, 11)).isEqualTo(first);
    assertThat(heard(1_020, 25)).isEqualTo(first);
  }

  @Test
  void anotherPacketIsAChange() {
    Object first = heard(1_000, 5);
    assertThat(heard(1_010, 1)).isNotEqualTo(first);
  }

  @Test
  void aNodeThatIsHeardAllTheTimeChanges() {
    Object first = heard(1_000, 0);
    heard(1_001, 0);
    heard(1_002, 0);
    assertThat(heard(1_003, 0)).isNotEqualTo(first);
  }
}
