package dev.vigil.directory.coap;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that parse, verify and answer. What a task hands on while it runs is run after it on
 * the same thread: a request passes three queues on its way, and each handover to another thread
 * would cost as much as serving it. After a few turns the rest goes to whoever is free.
 */
final class Workers extends ScheduledThreadPoolExecutor {
  private static final Logger log = LoggerFactory.getLogger(Workers.class);
  private static final int TURNS = 16;

  private final ExecutorService threads;
  private final ThreadLocal<Turn> turns = ThreadLocal.withInitial(Turn::new);

  /** What a thread has still to run. */
  private static final class Turn {
    final Queue<Runnable> next = new ArrayDeque<>();
    boolean running;

    /** Counts what this thread hands on until a worker begins with it. */
    @Nullable AtomicInteger counter;
  }

  /** One more thread keeps what is to be done later. */
  Workers(int count, ThreadFactory factory) {
    super(1, factory);
    setRemoveOnCancelPolicy(true);
    threads = Executors.newFixedThreadPool(count, factory);
  }

  @Override
  public void execute(Runnable task) {
    Turn turn = turns.get();
    AtomicInteger counter = turn.counter;
    if (turn.running) {
      turn.next.add(task);
    } else if (counter == null) {
      threads.execute(() -> run(task));
    } else {
      counter.incrementAndGet();
      threads.execute(
          () -> {
            counter.decrementAndGet();
            run(task);
          });
    }
  }

  /**
   * Runs something on the calling thread, and counts what it hands to the workers.
   *
   * @param waiting how much of it no worker has begun with
   */
  void counting(AtomicInteger waiting, Runnable handing) {
    Turn turn = turns.get();
    turn.counter = waiting;
    try {
      handing.run();
    } finally {
      turn.counter = null;
    }
  }

  private void run(Runnable first) {
    Turn turn = turns.get();
    turn.running = true;
    Runnable task = first;
    for (int i = 0; task != null && i < TURNS; i++) {
      try {
        task.run();
      } catch (RuntimeException e) {
        log.error("a task failed", e);
      }
      task = turn.next.poll();
    }
    turn.running = false;
    while (task != null) {
      execute(task);
      task = turn.next.poll();
    }
  }

  @Override
  public void shutdown() {
    threads.shutdown();
    super.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    List<Runnable> left = super.shutdownNow();
    left.addAll(threads.shutdownNow());
    return left;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return threads.awaitTermination(timeout, unit) && super.awaitTermination(timeout, unit);
  }
}
