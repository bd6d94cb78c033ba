package dev.vigil.gateway.northbound;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Degraded while a destination does not accept deliveries; the gateway itself is not down. */
@Component
class NorthboundHealth implements HealthIndicator {
  private static final String DEGRADED = "DEGRADED";

  private final Northbound northbound;

  NorthboundHealth(Northbound northbound) {
    this.northbound = northbound;
  }

  @Override
  public Health health() {
    Health.Builder health = Health.up();
    for (DeliveryLoop loop : northbound.all()) {
      String error = loop.state().error();
      health.withDetail(loop.name(), error == null ? loop.cursor().waiting() + " wait" : error);
      if (error != null) {
        health.status(DEGRADED);
      }
    }
    return health.build();
  }
}
