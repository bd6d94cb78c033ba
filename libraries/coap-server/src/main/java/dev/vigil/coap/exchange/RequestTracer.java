package dev.vigil.coap.exchange;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Traces requests on their way through the server. */
@FunctionalInterface
public interface RequestTracer {
  /** Traces nothing. */
  RequestTracer NONE = (route, request, receivedNanos, answer) -> answer.get();

  /**
   * Lets {@code answer} answer a request and traces it until its response.
   *
   * @param receivedNanos monotonic time at which the datagram arrived; 0 if unknown
   * @param answer called once, on the calling thread
   * @return the future that {@code answer} returned, or a copy of it
   */
  CompletableFuture<Response> trace(
      Route route,
      Request request,
      long receivedNanos,
      Supplier<CompletableFuture<Response>> answer);

  /** A step that belongs to the trace of the present request, even if another request calls it. */
  default <T> Consumer<T> carry(Consumer<T> step) {
    return step;
  }
}
