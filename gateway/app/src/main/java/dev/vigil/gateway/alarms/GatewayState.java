package dev.vigil.gateway.alarms;

import java.util.Map;
import java.util.OptionalDouble;

/** The state of the gateway itself that rules look at. */
interface GatewayState {
  /** The radios by name, and whether each works. */
  Map<String, Boolean> radios();

  /** The destinations of the feed by name, and whether each fails. */
  Map<String, Boolean> destinations();

  boolean storeFails();

  int waitingBatches();

  /** Percent of the disk that is free; empty when that is unknown. */
  OptionalDouble freePercent();

  /** Days until the certificate of HTTPS expires; empty without one. */
  OptionalDouble certificateDays();

  /** By how many seconds the system's clock was set since the last call, forwards or back. */
  double clockJumpSeconds();
}
