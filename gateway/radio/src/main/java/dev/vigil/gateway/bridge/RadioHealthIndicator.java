package dev.vigil.gateway.bridge;

import dev.vigil.border.link.RadioStatus;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Component;

/**
 * Degraded while some radio is lost, and {@code RADIO_LOST} while all radios are lost. {@code
 * RADIO_LOST} ends readiness, because no mote reaches this gateway. Neither status is a failure of
 * the process, so that no supervisor restarts it.
 */
@Component("radioHealth") // the bean's name is the component's name in /actuator/health
class RadioHealthIndicator implements HealthIndicator {
  private static final Status LOST = new Status("RADIO_LOST");
  private static final Status DEGRADED = new Status("DEGRADED");

  private final BridgeLifecycle network;

  RadioHealthIndicator(BridgeLifecycle network) {
    this.network = network;
  }

  @Override
  public Health health() {
    List<RadioStatus> radios = network.bridge().map(bridge -> bridge.radios()).orElse(List.of());
    return Health.status(status(radios.stream().map(RadioStatus::up).toList())).build();
  }

  /**
   * @param up whether each radio works; empty for a gateway without one
   */
  static Status status(List<Boolean> up) {
    if (!up.contains(false)) {
      return Status.UP;
    }
    return up.contains(true) ? DEGRADED : LOST;
  }
}
