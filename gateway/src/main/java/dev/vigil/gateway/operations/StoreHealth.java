package dev.vigil.gateway.operations;

import dev.vigil.gateway.store.SqliteStore;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Down while what is sent cannot be made durable. */
@Component
class StoreHealth implements HealthIndicator {
  private final SqliteStore store;

  StoreHealth(SqliteStore store) {
    this.store = store;
  }

  @Override
  public Health health() {
    return store.isFailing() ? Health.down().build() : Health.up().build();
  }
}
