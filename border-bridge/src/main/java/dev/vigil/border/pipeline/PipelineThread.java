package dev.vigil.border.pipeline;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns the bridge's state, and its task queue. Tasks run in batches, so that
 * the counters of many frames are made durable by one write.
 */
public final class PipelineThread implements AutoCloseable {
  /** Tasks from other threads that may wait. */
  static final int MAX_OFFERED = 2_048;

  private static final Logger LOG = LoggerFactory.getLogger(PipelineThread.class);
  private static final int MAX_BATCH = 64;
  private static final long LOG_PERIOD_NANOS = 60_000_000_000L;

  /** Work that runs between tasks, on the same thread. */
  public interface Hooks {
    /** Runs timers. */
    void tick(long nowMillis);

    /** The time at which {@link #tick} is due, in milliseconds. */
    long deadline();

    /** Runs after the tasks of a batch. */
    void batchDone(long nowMillis);
  }

  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final AtomicInteger offered = new AtomicInteger();
  private final LongSupplier nanoTime;
  private final Hooks hooks;
  private final Thread thread;
  private volatile boolean closed;

  // Used by the pipeline's thread, and later by the thread that closes the pipeline.
  private boolean failed;
  private long failureLoggedAt;

  public PipelineThread(LongSupplier nanoTime, Hooks hooks) {
    this.nanoTime = nanoTime;
    this.hooks = hooks;
    this.thread = Thread.ofPlatform().name("bridge-pipeline").daemon().unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  /** Milliseconds of the clock that all timers of the pipeline use. */
  public long nowMillis() {
    return nanoTime.getAsLong() / 1_000_000;
  }

  /** Queues a task from another thread (a frame, a datagram); false if the queue is full. */
  public boolean offer(Runnable task) {
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

  /** A bounded part of the queue, so that a flood of one kind of task leaves room for others. */
  public final class Quota {
    private final int max;
    private final AtomicInteger waiting = new AtomicInteger();

    private Quota(int max) {
      this.max = max;
    }

    /** Like {@link PipelineThread#offer}; also false if the quota is used up. */
    public boolean offer(Runnable task) {
      boolean taken =
          waiting.incrementAndGet() <= max
              && PipelineThread.this.offer(
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

  /** A quota of {@code max} tasks. */
  public Quota quota(int max) {
    return new Quota(max);
  }

  /** Queues a task of the bridge itself (a transmit report). The number of such tasks is small. */
  public void execute(Runnable task) {
    tasks.add(task);
  }

  private void run() {
    while (!closed) {
      try {
        runBatch();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void runBatch() throws InterruptedException {
    long wait = Math.max(0, hooks.deadline() - nowMillis());
    Runnable task = tasks.poll(Math.min(wait, 1_000), TimeUnit.MILLISECONDS);
    for (int i = 1; task != null; i++) {
      runSafely(task);
      task = i < MAX_BATCH ? tasks.poll() : null;
    }
    long now = nowMillis();
    runSafely(() -> hooks.batchDone(now));
    if (now >= hooks.deadline()) {
      runSafely(() -> hooks.tick(now));
    }
  }

  /**
   * Runs a part of a task on the pipeline's thread. Catches all exceptions, because a defect in one
   * task must not end the pipeline, and one packet must not take the others of its batch with it.
   */
  public void runSafely(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      logFailure(e);
    }
  }

  /** Logs at most one line per minute, because on a full disk every packet may fail. */
  private void logFailure(RuntimeException e) {
    long now = nanoTime.getAsLong();
    if (!failed || now - failureLoggedAt >= LOG_PERIOD_NANOS) {
      LOG.error("a pipeline task failed; the pipeline continues", e);
      failed = true;
      failureLoggedAt = now;
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
