package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.openalarms.EndpointAlarms;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** The open alarms of endpoints, from the register. */
@Component
final class OpenEndpointAlarms implements EndpointAlarms {
  private final AlarmRegister register;

  OpenEndpointAlarms(AlarmRegister register) {
    this.register = register;
  }

  @Override
  public Set<String> alarmed(Set<String> endpoints) {
    return endpoints.stream().filter(this::isAlarmed).collect(Collectors.toSet());
  }

  private boolean isAlarmed(String endpoint) {
    return register.openOf(endpoint).stream()
        .flatMap(key -> register.open(key).stream())
        .anyMatch(alarm -> !register.isSilenced(alarm.value()));
  }
}
