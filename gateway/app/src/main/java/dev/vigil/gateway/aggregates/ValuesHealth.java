package dev.vigil.gateway.aggregates;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Degraded while older signed values are deleted before their age; nothing else is affected. */
@Component("historyHealth") // the bean's name is the component's name in /actuator/health
class ValuesHealth implements HealthIndicator {
  private final ValueLimits limits;

  ValuesHealth(ValueLimits limits) {
    this.limits = limits;
  }

  @Override
  public Health health() {
    return limits.isExceeded()
        ? Health.status("DEGRADED")
            .withDetail("values", "deleted early: see vigil.history.values-disk-share")
            .build()
        : Health.up().build();
  }
}
