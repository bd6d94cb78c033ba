package dev.vigil.coap.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Acknowledges a confirmable request whose response is late, before its sender would retransmit it
 * (RFC 7252 section 5.2.2). One periodic sweep serves all requests. Most responses only wait for a
 * commit of about a millisecond, so a timer for each would cost more.
 */
public final class SeparateResponseTimer {
  private static final int SWEEPS_PER_TIMEOUT = 8;

  /** A request is acknowledged after 2 to 3 periods, well before ACK_TIMEOUT. */
  private static final int SWEEPS_UNTIL_LATE = 3;

  private final ConcurrentLinkedQueue<Pending> pending = new ConcurrentLinkedQueue<>();

  private static final class Pending {
    final CompletableFuture<?> response;
    final Runnable acknowledge;

    /** Used by the timer's thread only. */
    int sweeps;

    Pending(CompletableFuture<?> response, Runnable acknowledge) {
      this.response = response;
      this.acknowledge = acknowledge;
    }
  }

  /**
   * @param ackTimeoutMillis ACK_TIMEOUT of RFC 7252 section 4.8
   */
  public SeparateResponseTimer(ScheduledExecutorService timer, long ackTimeoutMillis) {
    long period = Math.max(1, ackTimeoutMillis / SWEEPS_PER_TIMEOUT);
    timer.scheduleWithFixedDelay(this::sweep, period, period, TimeUnit.MILLISECONDS);
  }

  /**
   * @param acknowledge runs on the timer's thread if the response is late
   */
  public void watch(CompletableFuture<?> response, Runnable acknowledge) {
    pending.add(new Pending(response, acknowledge));
  }

  private void sweep() {
    pending.removeIf(
        entry -> {
          if (entry.response.isDone()) {
            return true;
          }
          entry.sweeps++;
          if (entry.sweeps < SWEEPS_UNTIL_LATE) {
            return false;
          }
          entry.acknowledge.run();
          return true;
        });
  }
}
