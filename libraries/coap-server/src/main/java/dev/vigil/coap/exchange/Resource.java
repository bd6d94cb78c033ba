package dev.vigil.coap.exchange;

import java.util.concurrent.CompletableFuture;

/** Answers the requests of a {@link Route}. */
@FunctionalInterface
public interface Resource {
  /**
   * @return completes with the response, or exceptionally with an {@link ErrorResponseException}
   * @throws ErrorResponseException has the same meaning as completing exceptionally with it
   */
  CompletableFuture<Response> answer(Request request);
}
