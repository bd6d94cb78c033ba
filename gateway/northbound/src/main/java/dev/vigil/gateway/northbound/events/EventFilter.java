package dev.vigil.gateway.northbound.events;

import dev.vigil.gateway.api.DomainNames;
import java.util.List;

/**
 * Which events a destination receives.
 *
 * @param values whether accepted values are sent
 * @param alarms whether raised, acknowledged and cleared alarms are sent
 * @param domains names of the domains whose events are sent, {@code -} for the unnamed one; empty:
 *     all, and events of the gateway itself
 */
public record EventFilter(boolean values, boolean alarms, List<String> domains) {
  /** A kind of event, as settings name it. */
  public enum Kind {
    /** An accepted value. */
    VALUE,
    /** An alarm was raised, acknowledged or cleared. */
    ALARM
  }

  public EventFilter {
    domains = List.copyOf(domains);
  }

  /** The filter that the settings {@code events} and {@code domains} describe. */
  public static EventFilter of(List<Kind> events, List<String> domains) {
    return new EventFilter(events.contains(Kind.VALUE), events.contains(Kind.ALARM), domains);
  }

  /** Whether events of a domain are sent. */
  boolean includes(String domain) {
    return DomainNames.isIn(domains, domain);
  }

  /** Whether events are sent that belong to no domain. */
  boolean includesGateway() {
    return domains.isEmpty();
  }
}
