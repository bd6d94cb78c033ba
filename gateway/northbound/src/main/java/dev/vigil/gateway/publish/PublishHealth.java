package dev.vigil.gateway.publish;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Degraded while a remote directory does not accept registrations; the gateway itself is not down.
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
    for (Publisher publisher : publishers.all()) {
      String error = publisher.state().error();
      health.withDetail(publisher.address(), error == null ? publisher.shown() + " shown" : error);
      if (error != null) {
        health.status(DEGRADED);
      }
    }
    return health.build();
  }
}
