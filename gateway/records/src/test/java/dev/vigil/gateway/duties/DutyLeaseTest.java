package dev.vigil.gateway.duties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Two gateways that read the same store, each with its own monotonic clock. */
class DutyLeaseTest {
  private static final Duration STEP = Duration.ofMillis(250);

  private final SettableClock clock = new SettableClock();
  private final MemoryStore store = new MemoryStore();
  private final DutyLease one = lease("one");
  private final DutyLease two = lease("two");

  private DutyLease lease(String gateway) {
    Records records = new Records(store, clock);
    return new DutyLease(
        records.of("cluster-lease", DutyLease.Lease.class),
        gateway,
        () -> clock.millis() * 1_000_000,
        Runnable::run);
  }

  /** Lets time pass, in which only some gateways live. */
  private void pass(Duration time, DutyLease... alive) {
    for (Duration left = time; left.isPositive(); left = left.minus(STEP)) {
      clock.pass(STEP);
      for (DutyLease lease : alive) {
        lease.step();
        assertThat(one.isHeld() && two.isHeld()).as("both hold it").isFalse();
      }
    }
  }

  @Test
  void theFirstGatewayTakesTheLeaseAndKeepsIt() {
    one.step();
    two.step();
    pass(Duration.ofMinutes(2), one, two);
    assertThat(one.isHeld()).isTrue();
    assertThat(two.holder()).isEqualTo("one");
  }

  @Test
  void anotherGatewayTakesTheLeaseWithinTenSecondsOfItsHoldersDeath() {
    pass(Duration.ofSeconds(20), one, two);
    pass(Duration.ofSeconds(10), two);
    assertThat(two.isHeld()).isTrue();
    assertThat(two.holder()).isEqualTo("two");
  }

  @Test
  void aHolderThatCannotRenewGivesUpBeforeOthersTakeOver() {
    pass(Duration.ofSeconds(20), one, two);
    store.full(true);
    Duration waited = Duration.ZERO;
    while (one.isHeld()) {
      pass(STEP, one, two);
      waited = waited.plus(STEP);
    }
    assertThat(waited).isLessThan(Duration.ofNanos(DutyLease.EXPIRY_NANOS));
    assertThat(two.isHeld()).isFalse();
    store.full(false);
    pass(Duration.ofSeconds(10), one, two);
    assertThat(one.isHeld() || two.isHeld()).as("somebody holds it again").isTrue();
  }

  @Test
  void aGatewayThatWasStoppedForLongDoesNotHoldTheLeaseWhenItContinues() {
    pass(Duration.ofSeconds(20), one, two);
    pass(Duration.ofSeconds(20), two);
    assertThat(one.isHeld()).isFalse();
    pass(Duration.ofSeconds(20), one, two);
    assertThat(one.isHeld()).isFalse();
    assertThat(two.isHeld()).isTrue();
  }

  @Test
  void aLeaseThatIsGivenBackIsTakenAtOnce() {
    pass(Duration.ofSeconds(20), one, two);
    one.release().join();
    assertThat(one.isHeld()).isFalse();
    two.step();
    assertThat(two.isHeld()).isTrue();
  }

  @Test
  void theTermRisesWithEachHolder() {
    pass(Duration.ofSeconds(3), one);
    one.release().join();
    pass(Duration.ofSeconds(3), two);
    Records records = new Records(store, clock);
    assertThat(
            records
                .of("cluster-lease", DutyLease.Lease.class)
                .get(DutyLease.ID)
                .orElseThrow()
                .value())
        .isEqualTo(new DutyLease.Lease("two", 2));
  }
}
