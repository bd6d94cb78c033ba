package dev.vigil.coap.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FairQueueTest {
  private record Item(String source, int number) {}

  private static Source source(String address) {
    try {
      return Source.ofDatagram(InetAddress.getByName(address), OptionalLong.empty());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(address, e);
    }
  }

  private static List<String> drain(FairQueue<String> queue) {
    List<String> items = new ArrayList<>();
    for (String item = queue.poll(); item != null; item = queue.poll()) {
      items.add(item);
    }
    return items;
  }

  @Test
  void servesSourcesInTurnAndEachInOrder() {
    FairQueue<String> queue = new FairQueue<>(10);
    queue.offer(source("192.0.2.1"), "a1");
    queue.offer(source("192.0.2.1"), "a2");
    queue.offer(source("192.0.2.1"), "a3");
    queue.offer(source("192.0.2.2"), "b1");
    queue.offer(source("192.0.2.2"), "b2");
    assertThat(drain(queue)).containsExactly("a1", "b1", "a2", "b2", "a3");
    assertThat(queue.poll()).isNull();
  }

  @Test
  void addressesOfANetworkShareItsTurn() {
    FairQueue<String> queue = new FairQueue<>(10);
    for (int i = 1; i <= 4; i++) {
      queue.offer(source("2001:db8:bad:" + i + "::1"), "bad" + i);
    }
    queue.offer(source("2001:db8:900d::1"), "good1");
    queue.offer(source("2001:db8:900d::1"), "good2");
    assertThat(drain(queue)).containsExactly("bad1", "good1", "bad2", "good2", "bad3", "bad4");
  }

  @Test
  void ipv4AddressesOfANetworkShareItsTurn() {
    FairQueue<String> queue = new FairQueue<>(10);
    for (int i = 1; i <= 4; i++) {
      queue.offer(source("192.0." + i + ".1"), "bad" + i);
    }
    queue.offer(source("198.51.100.1"), "good1");
    queue.offer(source("198.51.100.1"), "good2");
    queue.offer(source("192.0.1.2"), "bad5");
    assertThat(drain(queue))
        .containsExactly("bad1", "good1", "bad2", "good2", "bad3", "bad4", "bad5");
  }

  @Test
  void motesShareTheTurnOfTheNeighbourThatCarriesThem() {
    FairQueue<String> queue = new FairQueue<>(10);
    for (int i = 1; i <= 3; i++) {
      queue.offer(
          Source.ofDatagram(InetAddress.ofLiteral("fd00::" + i), OptionalLong.of(1)), "many" + i);
    }
    queue.offer(Source.ofDatagram(InetAddress.ofLiteral("fd00::9"), OptionalLong.of(2)), "one");
    assertThat(drain(queue)).containsExactly("many1", "one", "many2", "many3");
  }

  @Test
  void whatManySourcesOfferToAFullQueueIsRefusedAtOnce() {
    int capacity = 5_000;
    FairQueue<Integer> queue = new FairQueue<>(capacity);
    int refused = 0;
    for (int i = 0; i < 10 * capacity; i++) {
      Integer lost = queue.offer(source("2001:%x:%x::1".formatted(i >>> 16, i & 0xffff)), i);
      refused += lost != null && lost == i ? 1 : 0;
    }
    assertThat(refused).isEqualTo(9 * capacity);
  }

  @Test
  void aFullQueueDropsTheLastItemOfTheGreediestSource() {
    FairQueue<String> queue = new FairQueue<>(4);
    for (int i = 1; i <= 4; i++) {
      assertThat(queue.offer(source("2001:db8:bad:" + i + "::1"), "bad" + i)).isNull();
    }
    assertThat(queue.offer(source("2001:db8:bad:5::1"), "bad5")).isEqualTo("bad5");
    assertThat(queue.offer(source("2001:db8:900d::1"), "good1")).startsWith("bad");
    assertThat(queue.offer(source("2001:db8:900d::1"), "good2")).startsWith("bad");
    assertThat(queue.offer(source("2001:db8:900d::1"), "good3")).isEqualTo("good3");
    assertThat(queue.size()).isEqualTo(4);
    assertThat(drain(queue)).contains("good1", "good2").hasSize(4);
  }

  /** Every loss is reported, and each source keeps its order. */
  @Test
  void randomUseKeepsOrderAndCountsOfEverySource() {
    Random random = new Random(20);
    for (int round = 0; round < 200; round++) {
      int capacity = 1 + random.nextInt(20);
      FairQueue<Item> queue = new FairQueue<>(capacity);
      Map<String, Integer> last = new HashMap<>();
      int size = 0;
      for (int step = 0; step < 400; step++) {
        if (random.nextInt(3) > 0) {
          String address =
              random.nextBoolean()
                  ? "192.0.2." + random.nextInt(4)
                  : "2001:db8:%x:%x::%x"
                      .formatted(random.nextInt(2), random.nextInt(2), random.nextInt(3));
          Item lost = queue.offer(source(address), new Item(address, step));
          size += lost == null ? 1 : 0;
        } else {
          Item item = queue.poll();
          assertThat(item == null).isEqualTo(size == 0);
          if (item != null) {
            size--;
            Integer before = last.put(item.source(), item.number());
            assertThat(before == null ? -1 : before).isLessThan(item.number());
          }
        }
        assertThat(queue.size()).isEqualTo(size).isLessThanOrEqualTo(capacity);
      }
    }
  }
}
