package dev.vigil.coap.dispatch;

import dev.vigil.coap.limits.FairQueue;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.log.RateLimitedLog;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Runs costly tasks one at a time on a shared pool, those of different sources in turn. Costly
 * tasks thus occupy one thread of the pool, and a source that asks for many delays its own only.
 * With a {@link Timer}, they occupy a part of it: while tasks wait, each is followed by a pause.
 */
public final class FairSerialExecutor {
  private static final RateLimitedLog log = RateLimitedLog.of(FairSerialExecutor.class);

  /**
   * A task of which one of the two is run.
   *
   * @param run on the pool
   * @param refuse when the queue is full, on the thread that offers this or another task
   */
  public record Task(Runnable run, Runnable refuse) {}

  /** Runs a task after a time, on any thread; not at all after its end. */
  @FunctionalInterface
  public interface Timer {
    void schedule(Runnable task, long nanos);
  }

  /**
   * The pause after a task, in multiples of its duration: tasks take a twentieth of a processor.
   */
  private static final int PAUSE_FACTOR = 19;

  private static final long MAX_PAUSE_NANOS = 500_000_000;

  /** Shorter pauses cost more than they spare, so they are added to the next one. */
  private static final long MIN_PAUSE_NANOS = 1_000_000;

  private final Executor pool;
  private final LongSupplier nanoTime;
  private final Timer timer;
  private final FairQueue<Task> queue;

  /** Tasks in the queue and the one that runs. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** The pause that is due after the tasks since the last one. Used by one task after the other. */
  private volatile long duePause;

  /**
   * Runs tasks without pauses.
   *
   * @param maxQueued tasks that may wait
   */
  public FairSerialExecutor(int maxQueued, Executor pool) {
    this(maxQueued, pool, () -> 0, (task, nanos) -> task.run());
  }

  /**
   * @param maxQueued tasks that may wait
   * @param nanoTime monotonic nanoseconds
   */
  public FairSerialExecutor(int maxQueued, Executor pool, LongSupplier nanoTime, Timer timer) {
    this.pool = pool;
    this.nanoTime = nanoTime;
    this.timer = timer;
    this.queue = new FairQueue<>(maxQueued);
  }

  public void offer(Source source, Task task) {
    Task lost = queue.offer(source, task);
    if (lost != null) {
      lost.refuse().run();
    } else if (waiting.getAndIncrement() == 0) {
      pool.execute(this::runNext);
    }
  }

  /** Goes to the pool's end after each task, so that others get the thread. */
  private void runNext() {
    long began = nanoTime.getAsLong();
    Task task = queue.poll();
    if (task != null) {
      try {
        task.run().run();
      } catch (RuntimeException e) {
        log.error("a costly task failed", e);
      }
    }
    if (waiting.decrementAndGet() > 0) {
      continueAfter(nanoTime.getAsLong() - began);
    }
  }

  private void continueAfter(long workedNanos) {
    long pause = duePause + Math.min(PAUSE_FACTOR * workedNanos, MAX_PAUSE_NANOS);
    if (pause < MIN_PAUSE_NANOS) {
      duePause = pause;
      pool.execute(this::runNext);
    } else {
      duePause = 0;
      timer.schedule(() -> pool.execute(this::runNext), pause);
    }
  }
}
