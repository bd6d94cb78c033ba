package dev.vigil.directory.coap;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks of one key one after the other, in the order they came, on a shared pool: a key's hash
 * chooses one of a fixed number of lanes.
 */
final class Lanes {
  private static final Logger log = LoggerFactory.getLogger(Lanes.class);

  private final Lane[] lanes;

  /**
   * @param maxQueued tasks that may wait on one lane
   */
  Lanes(int count, int maxQueued, Executor pool) {
    this.lanes =
        IntStream.range(0, count).mapToObj(i -> new Lane(pool, maxQueued)).toArray(Lane[]::new);
  }

  /**
   * @return false when the lane is full; the task will not run then
   */
  boolean offer(String key, Runnable task) {
    int hash = key.hashCode();
    return lanes[Math.floorMod(hash ^ (hash >>> 16), lanes.length)].offer(task);
  }

  private static final class Lane implements Runnable {
    /** So that one busy lane gives others their turn on the pool. */
    private static final int TURN = 64;

    private final Executor pool;
    private final int maxQueued;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    private Lane(Executor pool, int maxQueued) {
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

    @Override
    public void run() {
      for (int i = 0; i < TURN; i++) {
        Runnable task;
        synchronized (waiting) {
          task = waiting.poll();
          if (task == null) {
            running = false;
            return;
          }
        }
        try {
          task.run();
        } catch (RuntimeException e) {
          log.error("a task failed", e);
        }
      }
      pool.execute(this);
    }
  }
}
