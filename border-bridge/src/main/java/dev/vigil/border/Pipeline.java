package dev.vigil.border;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that touches the bridge's state, and its queue. Tasks run in batches, so that what
 * must be durable before its consequences is made durable once for many frames.
 */
final class Pipeline implements AutoCloseable {
  /** Tasks from outside that may wait. */
  static final int MAX_OFFERED = 2_048;

  private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);
  private static final int MAX_BATCH = 64;

  /** What runs beside the tasks, on the same thread. */
  interface Work {
    /** Time has passed. */
    void tick(long nowMillis);

    /** When {@link #tick} is due, milliseconds. */
    long deadline();

    /** The tasks of a batch have run. */
    void batchDone(long nowMillis);
  }

  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final AtomicInteger offered = new AtomicInteger();
  private final LongSupplier nanoTime;
  private final Work work;
  private final Thread thread;
  private volatile boolean closed;

  Pipeline(LongSupplier nanoTime, Work work) {
    this.nanoTime = nanoTime;
    this.work = work;
    this.thread = Thread.ofPlatform().name("bridge-pipeline").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Milliseconds of the clock that all timers of the pipeline run on. */
  long nowMillis() {
    return nanoTime.getAsLong() / 1_000_000;
  }

  /** A task from outside (a frame, a datagram); false if too many wait. */
  boolean offer(Runnable task) {
    if (offered.incrementAndGet() > MAX_OFFERED) {
      offered.decrementAndGet();
      return false;
    }
    tasks.add(
        () -> {
          offered.decrementAndGet();
          task.run();
        });
    return true;
  }

  /** A part of the places for tasks from outside: a flood from one side leaves the others room. */
  final class Share {
    private final int most;
    private final AtomicInteger waiting = new AtomicInteger();

    private Share(int most) {
      this.most = most;
    }

    /** As {@link Pipeline#offer}; false also if too many of this share wait. */
    boolean offer(Runnable task) {
      boolean taken =
          waiting.incrementAndGet() <= most
              && Pipeline.this.offer(
                  () -> {
                    waiting.decrementAndGet();
                    task.run();
                  });
      if (!taken) {
        waiting.decrementAndGet();
      }
      return taken;
    }
  }

  /** A share of so many places. */
  Share share(int most) {
    return new Share(most);
  }

  /** A task of the bridge's own, of which there are few (a report for a frame it sent). */
  void execute(Runnable task) {
    tasks.add(task);
  }

  private void run() {
    while (!closed) {
      try {
        round();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void round() throws InterruptedException {
    long wait = Math.max(0, work.deadline() - nowMillis());
    Runnable task = tasks.poll(Math.min(wait, 1_000), TimeUnit.MILLISECONDS);
    for (int i = 0; task != null; i++) {
      guarded(task);
      task = i < MAX_BATCH ? tasks.poll() : null;
    }
    long now = nowMillis();
    guarded(() -> work.batchDone(now));
    if (now >= work.deadline()) {
      guarded(() -> work.tick(now));
    }
  }

  /** A defect in one task must not end the pipeline for all others. */
  private static void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.error("a task of the pipeline failed", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    tasks.add(() -> {});
    if (Thread.currentThread() != thread && thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    @Nullable Runnable left = tasks.poll();
    while (left != null) {
      left = tasks.poll();
    }
  }
}
