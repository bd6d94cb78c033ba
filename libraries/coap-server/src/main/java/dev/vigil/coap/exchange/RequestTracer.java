package dev.vigil.coap.exchange;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Follows requests on their way through the server. */
@FunctionalInterface
public interface RequestTracer {
  /** Follows none. */
  RequestTracer NONE = (route, request, receivedNanos, answer) -> answer.get();

  /**
   * Has a request answered, and follows it until its response.
   *
   * @param receivedNanos monotonic time of the datagram's arrival; 0: unknown
   * @param answer called once, on the calling thread
   * @return what {@code answer} returned, or its copy
   */
  CompletableFuture<Response> trace(
      Route route,
      Request request,
      long receivedNanos,
      Supplier<CompletableFuture<Response>> answer);
}
