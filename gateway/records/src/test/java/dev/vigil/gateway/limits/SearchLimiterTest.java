package dev.vigil.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SearchLimiterTest {
  private long nanos;
  private final SearchLimiter limiter =
      new SearchLimiter(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), () -> nanos);

  private static Caller at(String address, Caller.Identity identity) {
    return new Caller(new InetSocketAddress(address, 40_000), true, false, true, identity);
  }

  private static Caller stranger(String address) {
    return at(address, new Caller.Anonymous());
  }

  /**
   * The number of searches, at most a hundred, that a caller may run when each takes some
   * milliseconds.
   */
  private int allowed(Caller caller, int millis) {
    int done = 0;
    try {
      while (done < 100) {
        limiter.search(
            caller,
            () -> {
              nanos += Duration.ofMillis(millis).toNanos();
              return true;
            });
        done++;
      }
    } catch (ErrorResponseException e) {
      assertThat(e.response().code()).isEqualTo(Code.TOO_MANY_REQUESTS);
      assertThat(e.response().maxAge()).isPositive();
    }
    return done;
  }

  @Test
  void aStrangerThatSearchesTooMuchHasToWait() {
    // A source may use two seconds of work at once.
    assertThat(allowed(stranger("2001:db8:bad::1"), 100)).isBetween(19, 21);
    assertThat(allowed(stranger("2001:db8:900d::1"), 100)).isBetween(19, 21);
  }

  @Test
  void accountsAreNotLimited() {
    Caller account = at("192.0.2.1", new Caller.Account("alice", Set.of("viewer")));
    assertThat(allowed(account, 1_000)).isEqualTo(100);
  }

  @Test
  void aFailedSearchIsChargedToo() {
    Caller caller = stranger("192.0.2.1");
    assertThatThrownBy(
            () ->
                limiter.search(
                    caller,
                    () -> {
                      nanos += Duration.ofSeconds(3).toNanos();
                      throw new ErrorResponseException(Code.BAD_REQUEST, "no");
                    }))
        .hasMessageContaining("no");
    // The work is charged after the answer.
    while (allowed(caller, 0) == 100) {
      Thread.onSpinWait();
    }
  }

  @Test
  void searchesOfStrangersRunOneAtATime() throws InterruptedException {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Caller caller = stranger("2001:db8:" + i + "::1");
      callers.add(
          Thread.ofPlatform()
              .start(
                  () ->
                      limiter.search(
                          caller,
                          () -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            Thread.yield();
                            return running.decrementAndGet();
                          })));
    }
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(most).hasValue(1);
  }
}
