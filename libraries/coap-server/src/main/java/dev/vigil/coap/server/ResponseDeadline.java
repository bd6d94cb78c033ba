package dev.vigil.coap.server;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.core.coap.Request;

/**
 * The time within which a request of this process must have its response. Californium repeats a
 * request until it is acknowledged and then waits without limit.
 */
record ResponseDeadline(Duration duration) {
  /** EXCHANGE_LIFETIME of RFC 7252 section 4.8.2. It covers all blocks of a long response. */
  static final ResponseDeadline STANDARD = new ResponseDeadline(Duration.ofSeconds(247));

  /**
   * Cancels a request when the deadline passes, or when its response is no longer wanted.
   *
   * @param response of the request; the request's observer must fail it when the request is
   *     cancelled
   */
  void watch(Request request, CompletableFuture<?> response) {
    response
        .copy()
        .orTimeout(duration.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (received, thrown) -> {
              if (thrown != null) {
                request.cancel();
              }
            });
  }
}
