package dev.vigil.gateway.store;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Down while the store cannot write. */
@Component("storeHealth") // the bean's name is the component's name in /actuator/health
class StoreHealthIndicator implements HealthIndicator {
  private final StoreHealth store;

  StoreHealthIndicator(StoreHealth store) {
    this.store = store;
  }

  @Override
  public Health health() {
    return store.isFailing() ? Health.down().build() : Health.up().build();
  }
}
