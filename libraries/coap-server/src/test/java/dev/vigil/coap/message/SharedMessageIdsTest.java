package dev.vigil.coap.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SharedMessageIdsTest {
  private static final int IDS = 65_000;
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @Test
  void hasIdsForAnyNumberOfPeers() {
    SharedMessageIds ids = new SharedMessageIds(IDS, new Random(1));
    for (int i = 0; i < 200_000; i++) {
      assertThat(ids.getNextMessageId(new InetSocketAddress(LOOPBACK, i % 65_536)))
          .isBetween(0, IDS - 1);
    }
  }

  @Test
  void repeatsNoIdBeforeAllOthers() {
    SharedMessageIds ids = new SharedMessageIds(IDS, new Random(1));
    InetSocketAddress peer = new InetSocketAddress(LOOPBACK, 5683);
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < IDS; i++) {
      seen.add(ids.getNextMessageId(peer));
    }
    assertThat(seen).hasSize(IDS);
  }
}
