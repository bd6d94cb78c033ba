package dev.vigil.directory;

import dev.vigil.directory.exchange.Request;
import java.util.concurrent.CompletableFuture;

/** Reads an endpoint's own links, for simple registration (RFC 9176 section 5.1). */
@FunctionalInterface
public interface Fetcher {
  /**
   * Asks the sender of a request for its {@code /.well-known/core}, the way the request came.
   *
   * @return the document in link format; completes exceptionally with {@link
   *     dev.vigil.directory.exchange.ExchangeException} when there was no good answer
   */
  CompletableFuture<Fetched> wellKnownCore(Request request);

  /**
   * @param maxAge seconds for which it need not be asked again
   */
  record Fetched(byte[] document, long maxAge) {}
}
