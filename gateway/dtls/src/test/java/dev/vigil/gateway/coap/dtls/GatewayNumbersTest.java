package dev.vigil.gateway.coap.dtls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.MemoryStore;
import dev.vigil.store.StoreException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GatewayNumbersTest {
  private final MemoryStore store = new MemoryStore();
  private final SettableClock clock = new SettableClock();

  private GatewayNumbers gateway(String name, Set<String> present) {
    return new GatewayNumbers(new Records(store, clock), name, () -> present);
  }

  @Test
  void gatewaysThatStartAtOnceGetDifferentNumbersAndKeepThem() throws Exception {
    List<Callable<Integer>> starts =
        IntStream.range(0, 8)
            .<Callable<Integer>>mapToObj(i -> gateway("gateway-" + i, Set.of())::take)
            .toList();
    List<Integer> numbers;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      numbers = threads.invokeAll(starts).stream().map(Future::resultNow).toList();
    }
    assertThat(numbers).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(gateway("gateway-5", Set.of()).take()).isEqualTo(numbers.get(5));
  }

  @Test
  void eachGatewayLearnsTheSocketsOfTheOthers() {
    GatewayNumbers one = gateway("one", Set.of());
    GatewayNumbers two = gateway("two", Set.of());
    int number = two.take();
    one.take();
    InetSocketAddress first = new InetSocketAddress(InetAddress.ofLiteral("2001:db8::2"), 5785);
    InetSocketAddress second = new InetSocketAddress(InetAddress.ofLiteral("2001:db8::2"), 5786);
    two.publish(List.of(first, second));
    assertThat(one.others(0).getClusterNode(number)).isEqualTo(first);
    assertThat(one.others(1).getClusterNode(number)).isEqualTo(second);
    assertThat(one.others(2).getClusterNode(number)).isNull();
    assertThat(one.others(0).getClusterNode(number + 7)).isNull();
    assertThat(one.others(0).available(second)).isTrue();
    assertThat(two.others(0).getClusterNode(number)).as("its own").isNull();
    two.publish(List.of());
    assertThat(one.others(0).getClusterNode(number)).isNull();
    assertThat(one.others(0).available(second)).isFalse();
  }

  @Test
  void aGatewayTakesTheNumberOfOneThatIsGoneWhenNoneIsLeft() {
    var records =
        new Records(store, clock)
            .of("cluster-number", GatewayNumbers.Numbered.class, GatewayNumbers.MAX);
    for (int number = 0; number < GatewayNumbers.MAX; number++) {
      records
          .put(
              Integer.toString(number),
              new GatewayNumbers.Numbered("gateway-" + number, List.of()),
              OptionalLong.of(0),
              Audit.UNRECORDED)
          .join();
      clock.pass(Duration.ofSeconds(1));
    }
    assertThat(gateway("late", Set.of("gateway-0", "gateway-1", "gateway-3")).take()).isEqualTo(2);
    assertThat(gateway("later", Set.of("gateway-0", "gateway-1", "late")).take()).isEqualTo(3);
    Set<String> everybody = new HashSet<>(Set.of("late", "later"));
    IntStream.range(0, GatewayNumbers.MAX).forEach(i -> everybody.add("gateway-" + i));
    assertThatThrownBy(gateway("too many", everybody)::take)
        .isInstanceOf(StoreException.class)
        .hasMessage("a cluster has at most 256 gateways");
  }
}
