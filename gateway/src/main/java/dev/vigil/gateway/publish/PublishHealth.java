package dev.vigil.gateway.publish;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Degraded while another directory does not take our endpoints, which is no reason to call the
 * gateway down.
 */
@Component
class PublishHealth implements HealthIndicator {
  private static final String DEGRADED = "DEGRADED";

  private final Publishers publishers;

  PublishHealth(Publishers publishers) {
    this.publishers = publishers;
  }

  @Override
  public Health health() {
    Health.Builder health = Health.up();
    for (Publisher one : publishers.all()) {
      String error = one.state().error();
      health.withDetail(one.address(), error == null ? one.shown() + " shown" : error);
      if (error != null) {
        health.status(DEGRADED);
      }
    }
    return health.build();
  }
}
