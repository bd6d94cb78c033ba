package dev.vigil.coap.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.deferral.Deferral;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeyedSerialExecutorTest {
  @Test
  void runsTasksOfOneKeyOneAtATimeInOrder() throws InterruptedException {
    int tasks = 2000;
    List<Integer> order = new ArrayList<>();
    AtomicInteger running = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(tasks);
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      KeyedSerialExecutor executor = new KeyedSerialExecutor(8, tasks, pool);
      for (int i = 0; i < tasks; i++) {
        int task = i;
        executor.offer(
            "7",
            () -> {
              if (running.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
              }
              order.add(task);
              running.decrementAndGet();
              done.countDown();
            });
      }
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(overlaps).hasValue(0);
    assertThat(order).hasSize(tasks).isSorted();
  }

  @Test
  void noTaskOvertakesTheDeferredStepOfAnEarlierOneWithItsKey() throws InterruptedException {
    int tasks = 2000;
    List<Integer> order = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(tasks);
    WorkerPool pool = new WorkerPool(4, Executors.defaultThreadFactory());
    try {
      KeyedSerialExecutor executor = new KeyedSerialExecutor(8, 2 * tasks, pool);
      for (int i = 0; i < tasks; i++) {
        int task = i;
        executor.offer(
            "7",
            () ->
                Deferral.defer(
                    () -> {
                      order.add(task);
                      done.countDown();
                    }));
        executor.offer(String.valueOf(i), () -> {});
      }
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      pool.shutdownNow();
    }
    assertThat(order).hasSize(tasks).isSorted();
  }

  @Test
  void rejectsTasksOfAFullQueue() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch started = new CountDownLatch(1);
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      KeyedSerialExecutor executor = new KeyedSerialExecutor(1, 2, pool);
      executor.offer(
          "7",
          () -> {
            started.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      started.await();
      assertThat(executor.offer("7", () -> {})).isTrue();
      assertThat(executor.offer("7", () -> {})).isTrue();
      assertThat(executor.offer("7", () -> {})).isFalse();
      release.countDown();
    }
  }
}
