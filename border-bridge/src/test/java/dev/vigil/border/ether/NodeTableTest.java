package dev.vigil.border.ether;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class NodeTableTest {
  private static final InetSocketAddress A = new InetSocketAddress("127.0.0.1", 1001);
  private static final InetSocketAddress B = new InetSocketAddress("127.0.0.1", 1002);

  @Test
  void forgetsANodeAfterSixtySecondsOfSilence() {
    NodeTable table = new NodeTable();
    table.heard(A, 0);
    table.heard(B, 0);
    table.heard(B, 50_000_000_000L);
    assertThat(table.forgetSilent(59_999_999_999L)).isEmpty();
    assertThat(table.forgetSilent(60_000_000_000L)).extracting(n -> n.address).containsExactly(A);
    assertThat(table.snapshot(60_000_000_000L)).hasSize(1);
  }

  @Test
  void theIndexOfAForgottenNodeIsReused() {
    NodeTable table = new NodeTable();
    assertThat(table.heard(A, 0)).extracting(n -> n.index).isEqualTo(1);
    table.forgetSilent(60_000_000_000L);
    assertThat(table.heard(B, 60_000_000_000L)).extracting(n -> n.index).isEqualTo(1);
  }
}
