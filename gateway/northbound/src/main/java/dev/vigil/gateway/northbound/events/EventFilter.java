package dev.vigil.gateway.northbound.events;

import dev.vigil.gateway.api.DomainNames;
import java.util.List;

/**
 * Selects the events that a destination receives.
 *
 * @param values whether accepted values are sent
 * @param alarms whether raised, acknowledged and cleared alarms are sent
 * @param domains names of the domains whose events are sent, {@code -} for the unnamed domain;
 *     empty: all domains and the gateway itself
 */
public record EventFilter(boolean values, boolean alarms, List<String> domains) {
  /** A kind of event in the settings. */
  public enum Kind {
    /** An accepted value. */
    VALUE,
    /** An alarm was raised, acknowledged or cleared. */
    ALARM
  }

  public EventFilter {
    domains = List.copyOf(domains);
  }

  /** Creates the filter from the settings {@code events} and {@code domains}. */
  public static EventFilter of(List<Kind> events, List<String> domains) {
    return new EventFilter(events.contains(Kind.VALUE), events.contains(Kind.ALARM), domains);
  }

  /** Whether events of a domain are sent. */
  public boolean includes(String domain) {
    return DomainNames.isIn(domains, domain);
  }

  /** Whether events that belong to no domain are sent. */
  boolean includesGateway() {
    return domains.isEmpty();
  }
}
