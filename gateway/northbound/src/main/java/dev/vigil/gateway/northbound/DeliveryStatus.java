package dev.vigil.gateway.northbound;

import java.util.Map;

/** Whether the systems that receive the gateway's data accept it. */
@FunctionalInterface
public interface DeliveryStatus {
  /** Whether each destination fails, by name. */
  Map<String, Boolean> failing();
}
