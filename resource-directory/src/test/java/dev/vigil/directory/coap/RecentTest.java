package dev.vigil.directory.coap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.KeyMID;
import org.junit.jupiter.api.Test;

class RecentTest {
  private static final long LIFETIME = TimeUnit.SECONDS.toNanos(247);

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - LIFETIME);
  private final Recent recent = new Recent(LIFETIME, now::get);

  private static KeyMID key(int port, int mid) {
    return new KeyMID(mid, new InetSocketAddress("127.0.0.1", port));
  }

  private static Exchange exchange(KeyMID key) {
    return exchange(key, Exchange.Origin.REMOTE);
  }

  private static Exchange exchange(KeyMID key, Exchange.Origin origin) {
    return new Exchange(Request.newPut(), key.getPeer(), origin, Runnable::run);
  }

  private Exchange seen(KeyMID key) {
    Exchange first = exchange(key);
    assertThat(recent.findPrevious(key, first)).isNull();
    return first;
  }

  @Test
  void aMessageThatComesAgainBelongsToItsFirstExchange() {
    Exchange first = seen(key(1, 7));
    seen(key(1, 8));
    seen(key(2, 7));
    assertThat(recent.findPrevious(key(1, 7), exchange(key(1, 7)))).isSameAs(first);
    assertThat(recent.find(key(1, 7))).isSameAs(first);
    assertThat(recent.find(key(3, 7))).isNull();
  }

  @Test
  void anIdIsNewAgainWhenItsTimeIsOver() {
    KeyMID key = key(1, 7);
    Exchange first = seen(key);
    now.addAndGet(LIFETIME - 1);
    assertThat(recent.findPrevious(key, exchange(key))).isSameAs(first);
    now.addAndGet(1);
    seen(key);
  }

  @Test
  void whatCannotBeRepeatedAnyMoreIsLetGo() {
    seen(key(1, 7));
    now.addAndGet(LIFETIME / 2);
    seen(key(1, 8));
    now.addAndGet(LIFETIME / 2 + 1);
    recent.sweep();
    assertThat(recent.size()).isEqualTo(1);
    recent.clear();
    assertThat(recent.isEmpty()).isTrue();
  }

  @Test
  void ourOwnRequestWithTheSameIdIsAnother() {
    KeyMID key = key(1, 7);
    seen(key);
    assertThat(recent.findPrevious(key, exchange(key, Exchange.Origin.LOCAL))).isNull();
  }

  @Test
  void anExchangeCanTakeAnothersPlace() {
    KeyMID key = key(1, 7);
    Exchange first = seen(key);
    Exchange second = exchange(key);
    assertThat(recent.replacePrevious(key, first, second)).isTrue();
    assertThat(recent.findPrevious(key, exchange(key))).isSameAs(second);
  }

  @Test
  void anyNumberOfSendersTakesNoMoreThanItsTable() {
    IntStream.range(0, 20_000).forEach(i -> seen(key(1 + i, i)));
    assertThat(recent.size()).isBetween(3000, 4096);
  }

  @Test
  void peersThatCountTheirMessagesUpInStepDoNotDriveEachOtherOut() {
    for (int mid = 0; mid < 8; mid++) {
      for (int peer = 0; peer < 128; peer++) {
        seen(key(40_000 + peer, mid));
      }
    }
    // 1024 thrown at 4096 places: about one in eight meets another one.
    assertThat(recent.size()).isGreaterThan(800);
  }

  @Test
  void sendersWhoseHashesAreTheSameForgetEachOtherAndNoMore() {
    IntStream.range(0, 50_000)
        .mapToObj(i -> new KeyMID(i, new SameHash()))
        .forEach(key -> assertThat(recent.findPrevious(key, exchange(key))).isNull());
    assertThat(recent.size()).isLessThanOrEqualTo(4096);
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
