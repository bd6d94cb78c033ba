package dev.vigil.gateway.fetch;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Metrics of the readings that were recovered from block stores. */
@Component
class BackfillMetrics implements MeterBinder {
  private final Backfill backfill;

  BackfillMetrics(Backfill backfill) {
    this.backfill = backfill;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    FunctionCounter.builder("vigil.recovered.readings", backfill, Backfill::recovered)
        .description("readings that were fetched from block stores of motes after an absence")
        .register(registry);
  }
}
