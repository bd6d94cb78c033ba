package dev.vigil.coap.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.KeyMID;
import org.junit.jupiter.api.Test;

class BoundedDeduplicatorTest {
  private static final long LIFETIME = TimeUnit.SECONDS.toNanos(247);

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - LIFETIME);
  private final BoundedDeduplicator deduplicator = new BoundedDeduplicator(LIFETIME, now::get);

  private static KeyMID key(int port, int mid) {
    return new KeyMID(mid, new InetSocketAddress("127.0.0.1", port));
  }

  private static Exchange exchange(KeyMID key) {
    return exchange(key, Exchange.Origin.REMOTE);
  }

  private static Exchange exchange(KeyMID key, Exchange.Origin origin) {
    return new Exchange(Request.newPut(), key.getPeer(), origin, Runnable::run);
  }

  private Exchange store(KeyMID key) {
    Exchange first = exchange(key);
    assertThat(deduplicator.findPrevious(key, first)).isNull();
    return first;
  }

  @Test
  void findsTheExchangeOfADuplicate() {
    Exchange first = store(key(1, 7));
    store(key(1, 8));
    store(key(2, 7));
    assertThat(deduplicator.findPrevious(key(1, 7), exchange(key(1, 7)))).isSameAs(first);
    assertThat(deduplicator.find(key(1, 7))).isSameAs(first);
    assertThat(deduplicator.find(key(3, 7))).isNull();
  }

  @Test
  void removesAMessageOnlyWithItsOwnValue() {
    DedupTable<Object> table = new DedupTable<>(LIFETIME, now::get);
    Object first = new Object();
    Object second = new Object();
    table.putIfAbsent(key(1, 7), first);
    table.remove(key(1, 7), second);
    assertThat(table.putIfAbsent(key(1, 7), second)).isSameAs(first);
    table.remove(key(1, 7), first);
    assertThat(table.putIfAbsent(key(1, 7), second)).isNull();
  }

  @Test
  void acceptsAnIdAgainAfterItsLifetime() {
    KeyMID key = key(1, 7);
    Exchange first = store(key);
    now.addAndGet(LIFETIME - 1);
    assertThat(deduplicator.findPrevious(key, exchange(key))).isSameAs(first);
    now.addAndGet(1);
    store(key);
  }

  @Test
  void sweepsExpiredExchanges() {
    store(key(1, 7));
    now.addAndGet(LIFETIME / 2);
    store(key(1, 8));
    now.addAndGet(LIFETIME / 2 + 1);
    deduplicator.sweep();
    assertThat(deduplicator.size()).isEqualTo(1);
    deduplicator.clear();
    assertThat(deduplicator.isEmpty()).isTrue();
  }

  @Test
  void separatesLocalAndRemoteRequests() {
    KeyMID key = key(1, 7);
    store(key);
    assertThat(deduplicator.findPrevious(key, exchange(key, Exchange.Origin.LOCAL))).isNull();
  }

  @Test
  void replacesAnExchange() {
    KeyMID key = key(1, 7);
    Exchange first = store(key);
    Exchange second = exchange(key);
    assertThat(deduplicator.replacePrevious(key, first, second)).isTrue();
    assertThat(deduplicator.findPrevious(key, exchange(key))).isSameAs(second);
  }

  @Test
  void holdsABoundedNumberOfExchanges() {
    IntStream.range(0, 20_000).forEach(i -> store(key(1 + i, i)));
    assertThat(deduplicator.size()).isBetween(3000, 4096);
  }

  @Test
  void spreadsPeersWithAscendingIds() {
    for (int mid = 0; mid < 8; mid++) {
      for (int peer = 0; peer < 128; peer++) {
        store(key(40_000 + peer, mid));
      }
    }
    // 1024 random entries in 4096 slots: about one in eight collides.
    assertThat(deduplicator.size()).isGreaterThan(800);
  }

  @Test
  void staysBoundedUnderHashCollisions() {
    IntStream.range(0, 50_000)
        .mapToObj(i -> new KeyMID(i, new SameHash()))
        .forEach(key -> assertThat(deduplicator.findPrevious(key, exchange(key))).isNull());
    assertThat(deduplicator.size()).isLessThanOrEqualTo(4096);
  }

  private static final class SameHash {
    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }
}
