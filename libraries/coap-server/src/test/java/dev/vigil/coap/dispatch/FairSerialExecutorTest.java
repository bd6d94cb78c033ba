package dev.vigil.coap.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.dispatch.FairSerialExecutor.Task;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FairSerialExecutorTest {
  private final Queue<Runnable> pool = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private final FairSerialExecutor executor = new FairSerialExecutor(4, pool::add);

  private void offer(String address, String name) {
    offer(address, name, () -> done.add(name));
  }

  private void offer(String address, String name, Runnable run) {
    try {
      Source source = Source.of(Standing.VERIFIED, InetAddress.getByName(address));
      executor.offer(source, new Task(run, () -> refused.add(name)));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(address, e);
    }
  }

  private void runAll() {
    while (!pool.isEmpty()) {
      pool.remove().run();
    }
  }

  @Test
  void occupiesOneThreadAndServesSourcesInTurn() {
    offer("192.0.2.1", "a1");
    offer("192.0.2.1", "a2");
    offer("192.0.2.1", "a3");
    offer("198.51.100.1", "b1");
    assertThat(pool).hasSize(1);
    runAll();
    assertThat(done).containsExactly("a1", "b1", "a2", "a3");
    assertThat(refused).isEmpty();
  }

  @Test
  void refusesTasksOfTheGreediestSourceWhenFull() {
    for (int i = 1; i <= 6; i++) {
      offer("192.0.2.1", "a" + i);
    }
    offer("198.51.100.1", "b1");
    assertThat(refused).containsExactly("a5", "a6", "a4");
    runAll();
    assertThat(done).containsExactly("a1", "b1", "a2", "a3");
  }

  private final List<Long> pauses = new ArrayList<>();
  private long now;

  /** Offers tasks of these durations at once, and runs them all. */
  private void runPausing(long... micros) throws UnknownHostException {
    FairSerialExecutor pausing =
        new FairSerialExecutor(
            micros.length,
            pool::add,
            () -> now,
            (task, nanos) -> {
              pauses.add(nanos);
              pool.add(task);
            });
    Source source = Source.of(Standing.VERIFIED, InetAddress.getByName("192.0.2.1"));
    for (long duration : micros) {
      pausing.offer(source, new Task(() -> now += duration * 1_000, () -> {}));
    }
    runAll();
    assertThat(now).as("all have run").isEqualTo(1_000 * LongStream.of(micros).sum());
  }

  @Test
  void pausesForMultiplesOfATaskWhileOthersWait() throws UnknownHostException {
    runPausing(5_000, 0, 2_000_000, 7_000);
    assertThat(pauses).containsExactly(95_000_000L, 500_000_000L);
  }

  @Test
  void shortTasksPauseTogether() throws UnknownHostException {
    runPausing(30, 30, 30, 30, 30);
    assertThat(pauses).containsExactly(1_140_000L, 1_140_000L);
  }

  @Test
  void continuesAfterAFailedTask() {
    offer(
        "192.0.2.1",
        "a1",
        () -> {
          throw new IllegalStateException("on purpose, in a test");
        });
    offer("192.0.2.1", "a2");
    runAll();
    offer("192.0.2.1", "a3");
    runAll();
    assertThat(done).containsExactly("a2", "a3");
  }
}
