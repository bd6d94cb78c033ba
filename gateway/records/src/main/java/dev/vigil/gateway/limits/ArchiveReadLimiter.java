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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.springframework.stereotype.Component;

/**
 * Limits reads of the archive (histories and exports) that strangers request over HTTP. Pages are
 * read one at a time, with sources taking turns. Each source may use a twentieth of a processor
 * ({@link WorkLimiter}). Pages are written to the client outside of the turn, so slow readers delay
 * nobody. Thread-safe.
 */
@Component
public final class ArchiveReadLimiter {
  private static final int MAX_WAITING = 256;
  private static final long RETRY_SECONDS = 5;

  /** The fixed cost of one value, added to the cost of its size. */
  private static final long VALUE_COST = 1_000;

  private final WorkLimiter work;
  private final FairSerialExecutor turns;

  public ArchiveReadLimiter(Clock clock) {
    this.work = new WorkLimiter(clock);
    Executor virtual = task -> Thread.ofVirtual().name("archive-reads").start(task);
    this.turns = new FairSerialExecutor(MAX_WAITING, virtual);
  }

  /**
   * Must be called before the first page.
   *
   * @throws ErrorResponseException 4.29 with Max-Age after too much work
   */
  public void requireAllowed(Caller caller) {
    work.requireAllowed(caller);
  }

  /**
   * Reads a page when it is the caller's turn; waits on the calling thread.
   *
   * @param octets the size of a value
   * @throws ErrorResponseException 5.03 when too many pages wait
   */
  public <T> List<T> page(Caller caller, Supplier<List<T>> read, ToLongFunction<T> octets) {
    if (WorkLimiter.isUnlimited(caller)) {
      return read.get();
    }
    CompletableFuture<List<T>> page = new CompletableFuture<>();
    turns.offer(
        Source.ofTurns(caller),
        new FairSerialExecutor.Task(
            () -> complete(page, read), () -> page.completeExceptionally(overloaded())));
    List<T> values = FutureResults.of(page);
    long cost = values.stream().mapToLong(value -> VALUE_COST + octets.applyAsLong(value)).sum();
    work.charge(caller, cost);
    return values;
  }

  private static <T> void complete(CompletableFuture<List<T>> page, Supplier<List<T>> read) {
    try {
      page.complete(read.get());
    } catch (RuntimeException e) {
      page.completeExceptionally(e);
    }
  }

  private static ProblemException overloaded() {
    return new ProblemException(
        ProblemType.OVERLOADED, "too many histories are being read; try again", RETRY_SECONDS);
  }
}
