package dev.vigil.coap.deferral;

import dev.vigil.coap.log.RateLimitedLog;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Steps of requests that wait until their worker has begun the requests that were already queued,
 * so that one step can serve several requests. A step never waits for a request to arrive. On a
 * thread that is not a worker, a step runs at once.
 *
 * <p>An object belongs to one thread.
 */
public final class Deferral {
  private static final RateLimitedLog log = RateLimitedLog.of(Deferral.class);
  private static final ThreadLocal<@Nullable Deferral> OF_WORKER = new ThreadLocal<>();

  private final Queue<Runnable> steps = new ArrayDeque<>();

  /** Whether steps are deferred now. */
  private boolean defers;

  private Deferral() {}

  /** Runs the step after other steps that wait on this thread, or at once. */
  public static void defer(Runnable step) {
    Deferral worker = OF_WORKER.get();
    if (worker == null || !worker.defers) {
      step.run();
    } else {
      worker.steps.add(step);
    }
  }

  /** Whether steps are deferred on this thread: it is a worker. */
  public static boolean isPossible() {
    Deferral worker = OF_WORKER.get();
    return worker != null && worker.defers;
  }

  /** Whether steps wait on this thread. */
  public static boolean isPending() {
    Deferral worker = OF_WORKER.get();
    return worker != null && !worker.steps.isEmpty();
  }

  /** Runs the steps that wait on this thread, and the steps that they defer. */
  public static void complete() {
    Deferral worker = OF_WORKER.get();
    for (Runnable step = worker == null ? null : worker.steps.poll();
        worker != null && step != null;
        step = worker.steps.poll()) {
      try {
        step.run();
      } catch (RuntimeException e) {
        log.error("a deferred step of a request failed", e);
      }
    }
  }

  /** Begins to defer steps on this thread; {@link #end} must follow. */
  public static void begin() {
    Deferral worker = OF_WORKER.get();
    if (worker == null) {
      worker = new Deferral();
      OF_WORKER.set(worker);
    }
    worker.defers = true;
  }

  /** Runs the remaining steps; later steps run at once. */
  public static void end() {
    complete();
    Deferral worker = OF_WORKER.get();
    if (worker != null) {
      worker.defers = false;
    }
  }
}
