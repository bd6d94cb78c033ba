package dev.vigil.directory.coap;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Acknowledges a confirmable request whose answer is not there yet, before its sender would repeat
 * it (RFC 7252 section 5.2.2). One sweep for all instead of a timer for each: most answers wait for
 * a commit of a millisecond.
 */
final class LateAnswers {
  private final ConcurrentLinkedQueue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final int sweepsToWait;

  private static final class Waiting {
    final CompletableFuture<?> answer;
    final Runnable acknowledge;
    int sweeps;

    Waiting(CompletableFuture<?> answer, Runnable acknowledge) {
      this.answer = answer;
      this.acknowledge = acknowledge;
    }
  }

  /**
   * @param ackTimeoutMillis after which the earliest sender repeats its request
   */
  LateAnswers(ScheduledExecutorService timer, long ackTimeoutMillis) {
    long period = Math.max(1, ackTimeoutMillis / 8);
    this.sweepsToWait = 3;
    timer.scheduleWithFixedDelay(this::sweep, period, period, TimeUnit.MILLISECONDS);
  }

  /**
   * @param acknowledge is run when the answer is late, on the timer's thread
   */
  void expect(CompletableFuture<?> answer, Runnable acknowledge) {
    waiting.add(new Waiting(answer, acknowledge));
  }

  private void sweep() {
    waiting.removeIf(
        entry -> {
          if (entry.answer.isDone()) {
            return true;
          }
          entry.sweeps++;
          if (entry.sweeps < sweepsToWait) {
            return false;
          }
          entry.acknowledge.run();
          return true;
        });
  }
}
