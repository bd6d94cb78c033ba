package dev.vigil.directory.coap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.eclipse.californium.core.coap.CoAP.Code;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.KeyMID;
import org.eclipse.californium.core.network.RandomTokenGenerator;
import org.eclipse.californium.elements.config.Configuration;
import org.junit.jupiter.api.Test;

/** What strangers can make us keep, who come from as many addresses and ports as they like. */
class MemoriesTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  @Test
  void requestsOfAnyNumberOfPeersAreRememberedInBoundedMemory() {
    CoapConfig.register();
    Configuration config =
        new Configuration()
            .set(CoapConfig.DEDUPLICATOR, CoapConfig.DEDUPLICATOR_PEERS_MARK_AND_SWEEP);
    RequestMemory memory = new RequestMemory(config, new RandomTokenGenerator(config));
    Exchange last = exchange();
    for (int peer = 1; peer < 60_000; peer++) {
      last = exchange();
      assertThat(memory.findPrevious(id(peer), last)).isNull();
    }
    assertThat(memory.size()).isLessThanOrEqualTo(16_384);
    assertThat(memory.findPrevious(id(59_999), exchange())).as("it comes again").isSameAs(last);
  }

  private static KeyMID id(int port) {
    return new KeyMID(7, new InetSocketAddress(HERE, port));
  }

  private static Exchange exchange() {
    Request put = new Request(Code.PUT);
    return new Exchange(put, "peer", Exchange.Origin.REMOTE, Runnable::run);
  }

  @Test
  void thereIsAMessageIdForEveryPeerHoweverManyThereAre() {
    MessageIds ids = new MessageIds(new Random(1));
    for (int i = 0; i < 200_000; i++) {
      assertThat(ids.getNextMessageId(new InetSocketAddress(HERE, i % 65_536))).isBetween(0, 65535);
    }
  }

  @Test
  void noMessageIdComesAgainBeforeAllOthersDid() {
    MessageIds ids = new MessageIds(new Random(1));
    InetSocketAddress peer = new InetSocketAddress(HERE, 5683);
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < 65_536; i++) {
      seen.add(ids.getNextMessageId(peer));
    }
    assertThat(seen).hasSize(65_536);
  }
}
