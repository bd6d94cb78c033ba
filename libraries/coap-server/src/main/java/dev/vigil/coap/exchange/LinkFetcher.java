package dev.vigil.coap.exchange;

import java.util.concurrent.CompletableFuture;

/** Fetches the links of an endpoint, for simple registration (RFC 9176 section 5.1). */
@FunctionalInterface
public interface LinkFetcher {
  /**
   * Gets {@code /.well-known/core} from the sender of a request, over the same protocol and socket
   * as the request.
   *
   * @return completes exceptionally with {@link ErrorResponseException} if there is no usable
   *     response in time; cancelling it gives up the request
   */
  CompletableFuture<Fetched> wellKnownCore(Request request);

  /**
   * @param document in link format
   * @param maxAge seconds for which the document need not be fetched again
   */
  record Fetched(byte[] document, long maxAge) {}
}
