package dev.vigil.coap.dispatch;

import dev.vigil.coap.deferral.Deferral;
import dev.vigil.coap.log.RateLimitedLog;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Runs tasks with equal keys one at a time, in the order of their arrival, on a shared pool. The
 * hash of the key selects one of a fixed number of queues. Tasks with different keys may therefore
 * also wait for each other.
 */
public final class KeyedSerialExecutor {
  private static final RateLimitedLog log = RateLimitedLog.of(KeyedSerialExecutor.class);

  private final SerialQueue[] queues;
  private final LongAdder refused = new LongAdder();

  /**
   * @param queues number of queues
   * @param maxQueued tasks that may wait in one queue
   */
  public KeyedSerialExecutor(int queues, int maxQueued, Executor pool) {
    this.queues =
        IntStream.range(0, queues)
            .mapToObj(i -> new SerialQueue(pool, maxQueued))
            .toArray(SerialQueue[]::new);
  }

  /**
   * @return false if the key's queue is full; the task will not run
   */
  boolean offer(String key, Runnable task) {
    int hash = key.hashCode();
    boolean queued = queues[Math.floorMod(hash ^ (hash >>> 16), queues.length)].offer(task);
    if (!queued) {
      refused.increment();
    }
    return queued;
  }

  /** The number of waiting tasks. */
  public int waiting() {
    return Arrays.stream(queues).mapToInt(SerialQueue::size).sum();
  }

  /** The number of tasks rejected since the start because their queue was full. */
  public long refused() {
    return refused.sum();
  }

  /** Runs its tasks one at a time. The lock of {@code waiting} guards it and {@code running}. */
  private static final class SerialQueue implements Runnable {
    /**
     * After this many tasks the queue rejoins the end of the pool's queue, so that other work gets
     * a thread.
     */
    private static final int TASKS_PER_RUN = 64;

    private final Executor pool;
    private final int maxQueued;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    private SerialQueue(Executor pool, int maxQueued) {
      this.pool = pool;
      this.maxQueued = maxQueued;
    }

    boolean offer(Runnable task) {
      synchronized (waiting) {
        if (waiting.size() >= maxQueued) {
          return false;
        }
        waiting.add(task);
        if (running) {
          return true;
        }
        running = true;
      }
      pool.execute(this);
      return true;
    }

    int size() {
      synchronized (waiting) {
        return waiting.size();
      }
    }

    @Override
    public void run() {
      for (int i = 0; i < TASKS_PER_RUN; i++) {
        Runnable task;
        synchronized (waiting) {
          task = waiting.poll();
          if (task == null) {
            if (Deferral.isPending()) {
              // A task of another thread must not overtake the deferred steps of these tasks.
              Deferral.defer(this::release);
            } else {
              running = false;
            }
            return;
          }
        }
        try {
          task.run();
        } catch (RuntimeException e) {
          log.error("a serialised task failed", e);
        }
      }
      pool.execute(this);
    }

    private void release() {
      synchronized (waiting) {
        running = !waiting.isEmpty();
        if (!running) {
          return;
        }
      }
      pool.execute(this);
    }
  }
}
