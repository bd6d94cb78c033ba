package dev.vigil.directory.exchange;

import java.util.concurrent.CompletableFuture;

/** Answers requests for one path, or for every path below one. */
@FunctionalInterface
public interface Resource {
  /**
   * @return completes with the answer, or exceptionally with an {@link ExchangeException}
   * @throws ExchangeException likewise; both are turned into a diagnostic by {@link Site}
   */
  CompletableFuture<Response> answer(Request request);
}
