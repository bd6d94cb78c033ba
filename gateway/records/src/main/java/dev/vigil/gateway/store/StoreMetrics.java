package dev.vigil.gateway.store;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.File;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** Metrics of the store and its disk. */
@Component
class StoreMetrics implements MeterBinder {
  private final StoreStatistics store;
  private final StoreHealth health;
  private final File folder;

  StoreMetrics(StoreStatistics store, StoreHealth health, DataFolder folder) {
    this.store = store;
    this.health = health;
    this.folder = folder.path().toFile();
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
        .description("changes that could not be written to disk")
        .register(registry);
    FunctionCounter.builder("vigil.store.syncs", store, s -> s.counts().syncs())
        .description("transactions, each with one sync")
        .register(registry);
    FunctionTimer.builder(
            "vigil.store.commit",
            store,
            s -> s.counts().syncs(),
            s -> s.counts().nanos(),
            TimeUnit.NANOSECONDS)
        .description("transactions and the time that they took")
        .register(registry);
    Gauge.builder("vigil.store.failing", health, h -> h.isFailing() ? 1 : 0)
        .description("1 while the store cannot write")
        .register(registry);
    Gauge.builder("vigil.store.size", store, StoreStatistics::octets)
        .baseUnit("bytes")
        .description("size of the database's files")
        .register(registry);
    Gauge.builder("vigil.store.endpoints", store, StoreStatistics::endpoints)
        .description("endpoint names in the store, including names without a registration")
        .register(registry);
    Gauge.builder("vigil.store.waiting", store, StoreStatistics::waiting)
        .description("changes waiting to be written to disk")
        .register(registry);
    Gauge.builder("vigil.disk.free", folder, File::getUsableSpace)
        .baseUnit("bytes")
        .description("free space of the data folder's disk")
        .register(registry);
    Gauge.builder("vigil.disk.total", folder, File::getTotalSpace)
        .baseUnit("bytes")
        .description("size of the data folder's disk")
        .register(registry);
  }
}
