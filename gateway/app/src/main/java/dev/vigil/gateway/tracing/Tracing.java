package dev.vigil.gateway.tracing;

import dev.vigil.coap.exchange.RequestTracer;
import dev.vigil.store.Store;

/** Traces requests through the gateway, if the settings ask for it. */
public interface Tracing extends AutoCloseable {
  /** Traces nothing. */
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

  /** The store itself, or a store that traces the commits of requests. */
  Store traced(Store store);

  @Override
  void close();
}
