package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for a future on the virtual thread of a request. */
public final class FutureResults {
  private static final long TIMEOUT_SECONDS = 30;
  private static final long RETRY_SECONDS = 5;

  private FutureResults() {}

  /**
   * @throws ErrorResponseException the exception of a failed future; 5.03 after a timeout
   */
  public static <T> T of(CompletableFuture<T> future) {
    try {
      return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new ProblemException(
          ProblemType.OVERLOADED, "the gateway did not answer in time; try again", RETRY_SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ErrorResponseException refused) {
        throw refused;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProblemException(ProblemType.STOPPING, "the gateway is stopping", RETRY_SECONDS);
    }
  }

  /** Waits for a future whose result does not matter. */
  public static void done(CompletableFuture<?> future) {
    of(future.thenApply(result -> true));
  }
}
