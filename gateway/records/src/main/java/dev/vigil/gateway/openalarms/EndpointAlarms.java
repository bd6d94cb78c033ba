package dev.vigil.gateway.openalarms;

import java.util.Set;

/** The open alarms of endpoints, for features that show the state of an endpoint. */
public interface EndpointAlarms {
  /** The ids of the given endpoints that have an open alarm, without silenced ones. */
  Set<String> alarmed(Set<String> endpoints);
}
