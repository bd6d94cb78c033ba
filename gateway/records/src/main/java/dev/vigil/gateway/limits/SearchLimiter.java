package dev.vigil.gateway.limits;

import dev.vigil.coap.dispatch.FairSerialExecutor;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.WorkLimiter;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * Limits searches that strangers request over HTTP, because one page of endpoints, keys,
 * registrations or alarms requires a scan of all of them. Searches of strangers run one at a time,
 * with sources taking turns. Each source may use a fifth of a processor. Thread-safe.
 */
@Component
public final class SearchLimiter {
  private static final int MAX_WAITING = 256;
  private static final long RETRY_SECONDS = 5;

  /**
   * The number of octets charged for a nanosecond of a search. A processor reads a tenth of an
   * octet in that time, of which {@link WorkLimiter} grants a twentieth. A search is charged only a
   * quarter.
   */
  private static final double OCTETS_PER_NANO = 0.1 / 4;

  private final WorkLimiter work;
  private final FairSerialExecutor turns;
  private final LongSupplier nanoTime;

  public SearchLimiter(Clock clock, LongSupplier nanoTime) {
    this.work = new WorkLimiter(clock);
    this.nanoTime = nanoTime;
    Executor virtual = task -> Thread.ofVirtual().name("searches").start(task);
    this.turns = new FairSerialExecutor(MAX_WAITING, virtual);
  }

  /**
   * Searches when it is the caller's turn; waits on the calling thread.
   *
   * @throws ErrorResponseException 4.29 with Max-Age when the caller's network has used too much
   *     work; 5.03 when too many searches wait
   */
  public <T> T search(Caller caller, Supplier<T> search) {
    if (WorkLimiter.isUnlimited(caller)) {
      return search.get();
    }
    work.requireAllowed(caller);
    CompletableFuture<T> found = new CompletableFuture<>();
    turns.offer(
        Source.ofTurns(caller),
        new FairSerialExecutor.Task(
            () -> run(caller, search, found), () -> found.completeExceptionally(overloaded())));
    return FutureResults.of(found);
  }

  private <T> void run(Caller caller, Supplier<T> search, CompletableFuture<T> found) {
    long began = nanoTime.getAsLong();
    try {
      found.complete(search.get());
    } catch (RuntimeException e) {
      found.completeExceptionally(e);
    } finally {
      work.charge(caller, Math.round(OCTETS_PER_NANO * (nanoTime.getAsLong() - began)));
    }
  }

  private static ProblemException overloaded() {
    return new ProblemException(
        ProblemType.OVERLOADED, "too many searches are waiting; try again", RETRY_SECONDS);
  }
}
