package dev.vigil.gateway.duties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.MemoryStore;
import dev.vigil.store.contract.StoreTesting;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class GatewaysTest {
  private final SettableClock clock = new SettableClock();
  private final MemoryStore store = new MemoryStore();
  private final Gateways one = gateway("one", clock);
  private final Gateways two = gateway("two", clock);

  private Gateways gateway(String name, Clock of) {
    return new Gateways(
        new Records(store, of).of("cluster-gateway", Gateways.Beat.class),
        name,
        () -> 7,
        of,
        () -> clock.millis() * 1_000_000);
  }

  @Test
  void eachGatewaySeesTheOthersAndHowLongTheyHaveBeenSilent() {
    one.step();
    two.step();
    clock.pass(Duration.ofSeconds(20));
    two.step();
    assertThat(two.all()).extracting(ClusterGateway::name).containsExactly("one", "two");
    assertThat(two.all())
        .extracting(ClusterGateway::silent)
        .containsExactly(Duration.ofSeconds(20), Duration.ZERO);
    assertThat(one.all()).isEqualTo(two.all());
    assertThat(one.all().getFirst().position()).isEqualTo(7);
  }

  @Test
  void aGatewaySpeaksEveryFiveSeconds() {
    for (int i = 0; i < 40; i++) {
      one.step();
      clock.pass(Duration.ofMillis(250));
    }
    assertThat(StoreTesting.feed(store, 0).getLast().position()).isEqualTo(2);
  }

  @Test
  void aGatewayThatStopsLeavesAndOneThatFailedIsForgotten() {
    one.step();
    two.step();
    one.leave().join();
    assertThat(two.all()).extracting(ClusterGateway::name).containsExactly("two");
    one.step();
    clock.pass(Duration.ofMinutes(61));
    one.step();
    one.forgetSilent();
    assertThat(one.all()).extracting(ClusterGateway::name).containsExactly("one");
  }

  @Test
  void aClockThatDiffersIsNoticed() {
    Gateways late = gateway("late", Clock.offset(clock, Duration.ofMinutes(-2)));
    late.step();
    assertThat(one.all().getFirst().ahead()).isEqualTo(Duration.ofMinutes(-2));
  }
}
