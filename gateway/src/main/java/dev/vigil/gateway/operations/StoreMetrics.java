package dev.vigil.gateway.operations;

import dev.vigil.gateway.store.StoreStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Counters of the store. */
@Component
class StoreMetrics implements MeterBinder {
  private final StoreStatistics store;

  StoreMetrics(StoreStatistics store) {
    this.store = store;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    FunctionCounter.builder("vigil.store.landed", store, s -> s.counts().committed())
        .description("changes on disk")
        .register(registry);
    FunctionCounter.builder("vigil.store.refused", store, s -> s.counts().refused())
        .description("changes refused by the sequence or version rule")
        .register(registry);
    FunctionCounter.builder("vigil.store.failed", store, s -> s.counts().failed())
        .description("changes that the disk refused")
        .register(registry);
    FunctionCounter.builder("vigil.store.syncs", store, s -> s.counts().syncs())
        .description("transactions, each with one sync")
        .register(registry);
    Gauge.builder("vigil.store.endpoints", store, StoreStatistics::endpoints)
        .description("endpoint names in the store, those without a registration included")
        .register(registry);
    Gauge.builder("vigil.store.waiting", store, StoreStatistics::waiting)
        .description("changes that wait for the disk")
        .register(registry);
  }
}
