package dev.vigil.gateway.bridge;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Binds the metrics of the radio when the settings name one. */
@Component
class RadioMetricsBinder implements MeterBinder {
  private final BridgeLifecycle network;

  RadioMetricsBinder(BridgeLifecycle network) {
    this.network = network;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    network.bridge().ifPresent(bridge -> RadioMetrics.bind(bridge, registry));
  }
}
