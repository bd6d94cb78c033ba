package dev.vigil.mirror.refusal;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Response;
import dev.vigil.signed.SignedObjectException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps failures of requests to {@link RequestRefused} and counts them. */
public final class RefusalMapper {
  private static final Logger log = LoggerFactory.getLogger(RefusalMapper.class);

  private final RefusalCounters counters;

  public RefusalMapper(RefusalCounters counters) {
    this.counters = counters;
  }

  /**
   * Answers a request and counts its refusal.
   *
   * @param id of the endpoint that the request addresses; empty if there is none
   */
  public CompletableFuture<Response> answer(String id, Supplier<CompletableFuture<Response>> work) {
    CompletableFuture<Response> response;
    try {
      response = work.get();
    } catch (RequestRefused | SignedObjectException e) {
      throw counted(id, refusal(e));
    }
    // The common case: the future completed without a failure, so no further stage is needed.
    return response.isDone() && !response.isCompletedExceptionally()
        ? response
        : response.exceptionally(thrown -> failed(id, thrown));
  }

  /** Runs an operator's request; a refusal is mapped but not counted. */
  public static <T> CompletableFuture<T> uncounted(Supplier<CompletableFuture<T>> work) {
    try {
      return work.get()
          .exceptionally(
              thrown -> {
                throw refusal(thrown);
              });
    } catch (SignedObjectException e) {
      throw RequestRefused.of(e);
    }
  }

  /** The refusal that caused a failure. Any other cause is logged and becomes a 5.03. */
  public static RequestRefused refusal(Throwable thrown) {
    return switch (cause(thrown)) {
      case RequestRefused refused -> refused;
      case SignedObjectException e -> RequestRefused.of(e);
      case Throwable other -> {
        log.error("a request failed with an internal error", other);
        yield new RequestRefused(Reason.OVERLOADED, "internal error; see the gateway's log");
      }
    };
  }

  private Response failed(String id, Throwable thrown) {
    Throwable cause = cause(thrown);
    if (cause instanceof ErrorResponseException e && !(e instanceof RequestRefused)) {
      throw e;
    }
    throw counted(id, refusal(cause));
  }

  private static Throwable cause(Throwable thrown) {
    return thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
  }

  private RequestRefused counted(String id, RequestRefused refused) {
    counters.count(refused.reason(), id);
    return refused;
  }
}
