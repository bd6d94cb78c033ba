package dev.vigil.gateway.operations;

import dev.vigil.gateway.network.Network;
import dev.vigil.gateway.store.SqliteStore;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Counters of the store and the radio. */
@Component
class Meters implements MeterBinder {
  private final SqliteStore store;
  private final Network network;

  Meters(SqliteStore store, Network network) {
    this.store = store;
    this.network = network;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    FunctionCounter.builder("vigil.store.landed", store, s -> s.figures().landed())
        .description("changes on disk")
        .register(registry);
    FunctionCounter.builder("vigil.store.refused", store, s -> s.figures().refused())
        .description("changes refused by the sequence or version rule")
        .register(registry);
    FunctionCounter.builder("vigil.store.failed", store, s -> s.figures().failed())
        .description("changes that the disk refused")
        .register(registry);
    FunctionCounter.builder("vigil.store.syncs", store, s -> s.figures().syncs())
        .description("transactions, each with one sync")
        .register(registry);
    Gauge.builder("vigil.store.waiting", store, SqliteStore::waiting)
        .description("changes that wait for the disk")
        .register(registry);
    network.bridge().ifPresent(bridge -> RadioMeters.bind(bridge, registry));
  }
}
