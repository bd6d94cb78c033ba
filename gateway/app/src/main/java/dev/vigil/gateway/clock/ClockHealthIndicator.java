package dev.vigil.gateway.clock;

import java.util.Locale;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Degraded while the clock is behind stored times. */
@Component("clockHealth") // the bean's name is the component's name in /actuator/health
class ClockHealthIndicator implements HealthIndicator {
  private final ClockWatch clock;

  ClockHealthIndicator(ClockWatch clock) {
    this.clock = clock;
  }

  @Override
  public Health health() {
    ClockState state = clock.state();
    Health.Builder health = state.isBehind() ? Health.status("DEGRADED") : Health.up();
    return health
        .withDetail("synchronised", clock.synchronisation().name().toLowerCase(Locale.ROOT))
        .withDetail("behindStoreSeconds", state.behindStore().toSeconds())
        .withDetail("forwardJumps", state.forwardJumps())
        .withDetail("backwardJumps", state.backwardJumps())
        .build();
  }
}
