package dev.vigil.mirror;

import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Response;
import dev.vigil.mirror.wire.Rejection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** The one place where a refusal is counted and becomes an answer. */
final class Refusals {
  private final Rejections counters;

  Refusals(Rejections counters) {
    this.counters = counters;
  }

  /**
   * @param id of the endpoint it is about; empty when there is none
   */
  CompletableFuture<Response> answering(String id, Supplier<CompletableFuture<Response>> work) {
    CompletableFuture<Response> answer;
    try {
      answer = work.get();
    } catch (Rejection e) {
      throw counted(id, e);
    }
    // Most answers are there already, and good.
    return answer.isDone() && !answer.isCompletedExceptionally()
        ? answer
        : answer.exceptionally(thrown -> failed(id, thrown));
  }

  /** For what operators ask, which is not counted. */
  static <T> CompletableFuture<T> translated(Supplier<CompletableFuture<T>> work) {
    try {
      return work.get()
          .exceptionally(
              thrown -> {
                throw Failures.rejection(thrown).toExchange();
              });
    } catch (Rejection e) {
      throw e.toExchange();
    }
  }

  private Response failed(String id, Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    if (cause instanceof ExchangeException e) {
      throw e;
    }
    throw counted(id, Failures.rejection(cause));
  }

  private ExchangeException counted(String id, Rejection rejection) {
    counters.count(rejection.reason(), id);
    return rejection.toExchange();
  }
}
