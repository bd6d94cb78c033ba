package dev.vigil.gateway.tracing;

import dev.vigil.coap.exchange.RequestTracer;
import dev.vigil.store.Store;

/** Follows requests through the gateway, by setting. */
public interface Tracing extends AutoCloseable {
  /** Follows nothing. */
  Tracing OFF =
      new Tracing() {
        @Override
        public RequestTracer requests() {
          return RequestTracer.NONE;
        }

        @Override
        public Store traced(Store store) {
          return store;
        }

        @Override
        public void close() {}
      };

  RequestTracer requests();

  /** The store itself, or one that follows the commits of requests. */
  Store traced(Store store);

  @Override
  void close();
}
