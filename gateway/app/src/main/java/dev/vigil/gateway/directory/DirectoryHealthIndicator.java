package dev.vigil.gateway.directory;

import dev.vigil.directory.Directory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Component;

/**
 * Degraded while the store holds more registrations than fit into memory; the directory serves the
 * registrations that fit. The status does not count as a failure, so that no supervisor restarts
 * the gateway.
 */
@Component("directoryHealth") // the bean's name is the component's name in /actuator/health
class DirectoryHealthIndicator implements HealthIndicator {
  private static final Status DEGRADED = new Status("DEGRADED");

  private final Directory directory;

  DirectoryHealthIndicator(Directory directory) {
    this.directory = directory;
  }

  @Override
  public Health health() {
    return directory.isDegraded() ? Health.status(DEGRADED).build() : Health.up().build();
  }
}
