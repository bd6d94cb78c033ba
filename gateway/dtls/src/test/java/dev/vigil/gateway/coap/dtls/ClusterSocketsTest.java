package dev.vigil.gateway.coap.dtls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.cluster.SnapshotProperties;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterSocketsTest {
  private static ClusterProperties at(String address) {
    return new ClusterProperties(
        List.of("nats://nats-1:4222"),
        "vigil",
        "a",
        "",
        "",
        "",
        "",
        false,
        SnapshotProperties.DEFAULT,
        false,
        address);
  }

  @Test
  void anAddressIsResolvedAndAWildcardOrUnknownNameIsRefused() throws Exception {
    assertThat(ClusterSockets.resolve(at(""))).isEmpty();
    assertThat(ClusterSockets.resolve(at("127.0.0.1:7000")))
        .hasValueSatisfying(
            address -> {
              assertThat(address.getAddress().isLoopbackAddress()).isTrue();
              assertThat(address.getPort()).isEqualTo(7000);
            });
    for (String wildcard : List.of("0.0.0.0", "[::]:7000")) {
      assertThatThrownBy(() -> ClusterSockets.resolve(at(wildcard)))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("cannot use the wildcard")
          .hasMessageContaining("vigil.cluster.coaps-address");
    }
    assertThatThrownBy(() -> ClusterSockets.resolve(at("[1:2]")))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot resolve \"1:2\" in vigil.cluster.coaps-address");
  }
}
