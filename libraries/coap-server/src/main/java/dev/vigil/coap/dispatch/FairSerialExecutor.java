package dev.vigil.coap.dispatch;

import dev.vigil.coap.limits.FairQueue;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.log.RateLimitedLog;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Runs costly tasks one at a time on a shared pool, taking sources in turn. Costly tasks therefore
 * occupy only one thread of the pool, and a source that submits many tasks delays only its own.
 * With a {@link Timer}, they occupy only part of that thread: while tasks wait, a pause follows
 * each task.
 */
public final class FairSerialExecutor {
  private static final RateLimitedLog log = RateLimitedLog.of(FairSerialExecutor.class);

  /**
   * A task; exactly one of its two actions is run.
   *
   * @param run the work, run on the pool
   * @param refuse run if the queue is full, on the thread that offers this or another task
   */
  public record Task(Runnable run, Runnable refuse) {}

  /** Runs a task after a delay, on any thread; never runs it once the timer has stopped. */
  @FunctionalInterface
  public interface Timer {
    void schedule(Runnable task, long nanos);
  }

  /**
   * The pause after a task, in multiples of its duration; tasks thus take a twentieth of a
   * processor.
   */
  private static final int PAUSE_FACTOR = 19;

  private static final long MAX_PAUSE_NANOS = 500_000_000;

  /** Shorter pauses cost more than they save; they are added to the next pause instead. */
  private static final long MIN_PAUSE_NANOS = 1_000_000;

  private final Executor pool;
  private final LongSupplier nanoTime;
  private final Timer timer;
  private final FairQueue<Task> queue;

  /** Number of queued tasks plus the running task. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** The pause that has accumulated since the last pause. Only the running task uses it. */
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

  /** Rejoins the end of the pool's queue after each task, so that other work gets the thread. */
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
