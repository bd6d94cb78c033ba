package dev.vigil.gateway.cluster;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The thread of a {@link Duty}, which repeats a task. */
public final class DutyThread {
  private static final long END_SECONDS = 5;

  private final ScheduledExecutorService timer;

  private DutyThread(ScheduledExecutorService timer) {
    this.timer = timer;
  }

  /**
   * Starts the thread.
   *
   * @param pause between the end of the task and its next start
   * @param task handles its own exceptions
   */
  public static DutyThread start(String name, Duration pause, Runnable task) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(name).daemon().factory());
    timer.scheduleWithFixedDelay(task, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    return new DutyThread(timer);
  }

  /** Awaits the end of the task; interrupts it after five seconds. */
  public void end() {
    timer.shutdown();
    try {
      if (!timer.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        timer.shutdownNow();
      }
    } catch (InterruptedException e) {
      timer.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
