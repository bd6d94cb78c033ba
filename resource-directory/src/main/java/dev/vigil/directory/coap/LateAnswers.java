package dev.vigil.directory.coap;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.core.network.Exchange;

/**
 * Acknowledges a confirmable request whose answer is not there yet, before its sender would repeat
 * it (RFC 7252 section 5.2.2). One sweep for all instead of a timer for each: most answers wait for
 * a commit of a millisecond.
 */
final class LateAnswers {
  private final ConcurrentLinkedQueue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final int sweepsToWait;

  private static final class Waiting {
    final Exchange exchange;
    final CompletableFuture<?> answer;
    int sweeps;

    Waiting(Exchange exchange, CompletableFuture<?> answer) {
      this.exchange = exchange;
      this.answer = answer;
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

  void expect(Exchange exchange, CompletableFuture<?> answer) {
    waiting.add(new Waiting(exchange, answer));
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
          entry.exchange.execute(entry.exchange::sendAccept);
          return true;
        });
  }
}
