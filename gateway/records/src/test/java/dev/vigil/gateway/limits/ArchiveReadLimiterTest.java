package dev.vigil.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ArchiveReadLimiterTest {
  private static final long MEGABYTE = 1_000_000;

  private final ArchiveReadLimiter limiter =
      new ArchiveReadLimiter(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));

  private static Caller at(String address, boolean trusted, Caller.Identity identity) {
    return new Caller(new InetSocketAddress(address, 40_000), true, trusted, true, identity);
  }

  private static Caller stranger(String address) {
    return at(address, false, new Caller.Anonymous());
  }

  private void read(Caller caller, long octets) {
    assertThat(limiter.page(caller, () -> List.of("value"), value -> octets))
        .containsExactly("value");
  }

  @Test
  void aStrangerThatReadsTooMuchHasToWait() {
    Caller greedy = stranger("2001:db8:bad::1");
    limiter.requireAllowed(greedy);
    read(greedy, 60 * MEGABYTE);
    assertThatThrownBy(() -> limiter.requireAllowed(greedy))
        .isInstanceOfSatisfying(
            ErrorResponseException.class,
            e -> {
              assertThat(e.response().code()).isEqualTo(Code.TOO_MANY_REQUESTS);
              assertThat(e.response().maxAge()).isPositive();
            });
    assertThatCode(() -> limiter.requireAllowed(stranger("2001:db8:900d::1")))
        .doesNotThrowAnyException();
  }

  @Test
  void accountsAndProgramsOnThisMachineAreNotLimited() {
    for (Caller caller :
        List.of(
            at("192.0.2.1", false, new Caller.Account("alice", Set.of("operator"))),
            at("127.0.0.1", true, new Caller.Anonymous()))) {
      read(caller, 600 * MEGABYTE);
      assertThatCode(() -> limiter.requireAllowed(caller)).doesNotThrowAnyException();
    }
  }

  @Test
  void pagesOfStrangersAreReadOneAtATime() throws InterruptedException {
    AtomicInteger reading = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Caller caller = stranger("2001:db8:" + i + "::1");
      readers.add(
          Thread.ofPlatform()
              .start(
                  () ->
                      limiter.page(
                          caller,
                          () -> {
                            most.accumulateAndGet(reading.incrementAndGet(), Math::max);
                            Thread.yield();
                            reading.decrementAndGet();
                            return List.of("value");
                          },
                          value -> 1)));
    }
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(most).hasValue(1);
  }
}
