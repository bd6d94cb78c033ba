package dev.vigil.gateway.northbound;

import java.util.Map;

/** Whether the systems that the gateway sends its data to take them. */
@FunctionalInterface
public interface DeliveryStatus {
  /** Each destination by name, and whether it fails. */
  Map<String, Boolean> failing();
}
