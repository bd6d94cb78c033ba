package dev.vigil.gateway.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterPropertiesTest {
  private static ClusterProperties of(String server, String stream, String name) {
    return new ClusterProperties(
        List.of(server),
        stream,
        name,
        "",
        "",
        "",
        "",
        false,
        SnapshotProperties.DEFAULT,
        false,
        "");
  }

  private static ClusterProperties at(String coapsAddress) {
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
        coapsAddress);
  }

  @Test
  void aGatewayWithoutServersIsAlone() {
    assertThat(ClusterProperties.NONE.isShared()).isFalse();
    assertThat(of("nats://nats-1:4222", "vigil", "a").isShared()).isTrue();
    assertThat(of("tls://[2001:db8::1]:4222", "vigil", "a").isShared()).isTrue();
  }

  @Test
  void theNameOfTheHostIsTheDefaultNameOfTheGateway() {
    assertThat(of("nats://nats-1:4222", "vigil", "").gateway()).isNotEmpty();
    assertThat(of("nats://nats-1:4222", "vigil", "north").gateway()).isEqualTo("north");
  }

  @Test
  void wrongSettingsNameTheSettingAndWhatItTakes() {
    assertThatThrownBy(() -> of("nats-1:4222", "vigil", "a"))
        .hasMessage(
            "cluster.servers takes URLs such as nats://nats-1:4222 or tls://nats-1:4222 without user and password, not \"nats-1:4222\"");
    assertThatThrownBy(() -> of("nats://nats-1:4222", "a.b", "a"))
        .hasMessageStartingWith("cluster.stream takes");
    assertThatThrownBy(() -> of("nats://nats-1:4222", "vigil", "a b"))
        .hasMessageStartingWith("cluster.name takes");
  }

  @Test
  void aPasswordInAUrlIsRefusedWithoutBeingShown() {
    assertThatThrownBy(() -> of("nats://ann:s3cret@nats-1:4222", "vigil", "a"))
        .hasMessageContaining("nats://...@nats-1:4222")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void snapshotsNeedATimeAndANumber() {
    assertThatThrownBy(() -> new SnapshotProperties(Duration.ZERO, 1, 1, Duration.ofHours(1)))
        .hasMessage("cluster.snapshots.every takes one second or more, not PT0S");
    assertThatThrownBy(() -> new SnapshotProperties(Duration.ofHours(1), 1, 0, Duration.ofHours(1)))
        .hasMessage("cluster.snapshots.keep-messages takes a number above 0, not 0");
  }

  @Test
  void theSocketForOtherGatewaysIsAnAddressAndPerhapsAPort() {
    assertThat(at("").coapsSocket()).isEmpty();
    assertThat(at("192.0.2.1").coapsSocket())
        .contains(InetSocketAddress.createUnresolved("192.0.2.1", 5785));
    assertThat(at("north.example:0").coapsSocket())
        .contains(InetSocketAddress.createUnresolved("north.example", 0));
    assertThat(at("[2001:db8::1]:7000").coapsSocket())
        .contains(InetSocketAddress.createUnresolved("2001:db8::1", 7000));
    for (String wrong : List.of("2001:db8::1", "[::1", "a b", "a:port", ":5785")) {
      assertThatThrownBy(() -> at(wrong))
          .as(wrong)
          .hasMessageStartingWith("cluster.coaps-address takes");
    }
    assertThatThrownBy(() -> at("a:70000"))
        .hasMessage("cluster.coaps-address must be 0 to 65535, not 70000");
  }
}
