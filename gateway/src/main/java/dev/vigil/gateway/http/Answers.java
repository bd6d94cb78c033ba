package dev.vigil.gateway.http;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits, on the virtual thread of a request, for what others carry out. */
public final class Answers {
  private static final long PATIENCE_SECONDS = 30;
  private static final long RETRY_SECONDS = 5;

  private Answers() {}

  /**
   * @throws ExchangeException what it failed with; 5.03 when it took too long
   */
  public static <T> T of(CompletableFuture<T> answer) {
    try {
      return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new ExchangeException(Code.SERVICE_UNAVAILABLE, "no answer in time", RETRY_SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ExchangeException refused) {
        throw refused;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExchangeException(
          Code.SERVICE_UNAVAILABLE, "the gateway is stopping", RETRY_SECONDS);
    }
  }

  /** The same of what brings no answer but that it is done. */
  public static void done(CompletableFuture<?> answer) {
    of(answer.thenApply(nothing -> true));
  }
}
