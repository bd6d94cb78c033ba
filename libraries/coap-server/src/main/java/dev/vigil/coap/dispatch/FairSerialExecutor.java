package dev.vigil.coap.dispatch;

import dev.vigil.coap.limits.FairQueue;
import dev.vigil.coap.limits.Source;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs costly tasks one at a time on a shared pool, those of different sources in turn. Costly
 * tasks thus occupy one thread of the pool, and a source that asks for many delays its own only.
 */
public final class FairSerialExecutor {
  private static final Logger log = LoggerFactory.getLogger(FairSerialExecutor.class);

  /**
   * A task of which one of the two is run.
   *
   * @param run on the pool
   * @param refuse when the queue is full, on the thread that offers this or another task
   */
  public record Task(Runnable run, Runnable refuse) {}

  private final Executor pool;
  private final FairQueue<Task> queue;

  /** Tasks in the queue and the one that runs. */
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * @param maxQueued tasks that may wait
   */
  public FairSerialExecutor(int maxQueued, Executor pool) {
    this.pool = pool;
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
    Task task = queue.poll();
    if (task != null) {
      try {
        task.run().run();
      } catch (RuntimeException e) {
        log.error("a costly task failed", e);
      }
    }
    if (waiting.decrementAndGet() > 0) {
      pool.execute(this::runNext);
    }
  }
}
