package dev.vigil.coap.dispatch;

import dev.vigil.coap.deferral.Deferral;
import dev.vigil.coap.log.RateLimitedLog;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that parse, verify and answer. A task that a worker submits runs after the current
 * task on the same thread. A request passes three queues, and each handover to another thread would
 * cost as much as serving the request. After {@value #TASKS_PER_RUN} tasks, any free worker takes
 * the rest.
 */
public final class WorkerPool extends ScheduledThreadPoolExecutor {
  private static final RateLimitedLog log = RateLimitedLog.of(WorkerPool.class);
  private static final int TASKS_PER_RUN = 16;

  private final int count;
  private final ThreadPoolExecutor workers;
  private final ThreadLocal<LocalTasks> localTasks = ThreadLocal.withInitial(LocalTasks::new);

  /** The tasks that one thread has submitted and will itself run. */
  private static final class LocalTasks {
    final Queue<Runnable> next = new ArrayDeque<>();

    /** Whether the thread is a worker that is running a task. */
    boolean running;

    /** Counts the tasks that this thread has submitted and no worker has begun. */
    @Nullable AtomicInteger counter;
  }

  /**
   * @param count number of workers; one more thread waits for scheduled tasks
   */
  public WorkerPool(int count, ThreadFactory factory) {
    super(1, factory);
    setRemoveOnCancelPolicy(true);
    this.count = count;
    workers =
        new ThreadPoolExecutor(
            count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
  }

  /** The number of workers. */
  public int count() {
    return count;
  }

  @Override
  public void execute(Runnable task) {
    LocalTasks local = localTasks.get();
    AtomicInteger counter = local.counter;
    if (local.running) {
      local.next.add(task);
    } else {
      if (counter != null) {
        counter.incrementAndGet();
      }
      workers.execute(new Queued(task, counter));
    }
  }

  /**
   * A task that waits for a worker.
   *
   * @param counter counts the tasks that no worker has begun
   */
  private final class Queued implements Runnable {
    private final Runnable task;
    private final @Nullable AtomicInteger counter;

    Queued(Runnable task, @Nullable AtomicInteger counter) {
      this.task = task;
      this.counter = counter;
    }

    /** The task, which the caller runs at once. */
    Runnable begin() {
      if (counter != null) {
        counter.decrementAndGet();
      }
      return task;
    }

    @Override
    public void run() {
      WorkerPool.this.run(begin());
    }
  }

  /** Runs a task after all tasks that are waiting now, even if a worker submits it. */
  public void executeLast(Runnable task) {
    workers.execute(new Queued(task, null));
  }

  /**
   * Runs a task on the calling thread and counts the tasks that it submits to this pool.
   *
   * @param waiting the number of tasks that no worker has begun
   */
  public void runCounting(AtomicInteger waiting, Runnable task) {
    LocalTasks local = localTasks.get();
    local.counter = waiting;
    try {
      task.run();
    } finally {
      local.counter = null;
    }
  }

  private void run(Runnable first) {
    LocalTasks local = localTasks.get();
    local.running = true;
    Deferral.begin();
    Runnable task = first;
    for (int left = TASKS_PER_RUN; task != null; left--) {
      try {
        task.run();
      } catch (RuntimeException e) {
        log.error("a task of a worker failed", e);
      }
      task = left > 1 ? next(local) : null;
    }
    Deferral.end();
    local.running = false;
    // Requests that remain when the pool shuts down are not served; clients retransmit.
    while (!local.next.isEmpty() && !workers.isShutdown()) {
      execute(local.next.remove());
    }
  }

  /**
   * The next task for a worker. While steps are deferred on it, the worker also takes a task that
   * waits for any worker; when there is none, the steps run.
   */
  private @Nullable Runnable next(LocalTasks local) {
    Runnable task = local.next.poll();
    if (task == null && Deferral.isPending()) {
      if (workers.getQueue().poll() instanceof Queued queued) {
        return queued.begin();
      }
      Deferral.complete();
      task = local.next.poll();
    }
    return task;
  }

  @Override
  public void shutdown() {
    workers.shutdown();
    super.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    List<Runnable> left = super.shutdownNow();
    left.addAll(workers.shutdownNow());
    return left;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return workers.awaitTermination(timeout, unit) && super.awaitTermination(timeout, unit);
  }
}
