package dev.vigil.gateway.northbound.webhook;

import dev.vigil.gateway.northbound.events.EventFilter;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An HTTP server that receives events.
 *
 * @param url {@code https://} or {@code http://}; the address may contain a secret and is never
 *     shown
 * @param secretFile a file with the secret that signs events; only its owner may read the file
 * @param ca a PEM file with the authorities that may issue the server's certificate; empty: Java's
 *     authorities
 * @param events which events are sent
 * @param domains names of the domains whose events are sent, {@code -} for the unnamed domain;
 *     empty: all domains and the gateway itself
 * @param replay whether a new server receives the events that the store already contains
 */
public record WebhookProperties(
    @Nullable URI url,
    @DefaultValue("") String secretFile,
    @DefaultValue("") String ca,
    @DefaultValue({"value", "alarm"}) List<EventFilter.Kind> events,
    @DefaultValue List<String> domains,
    @DefaultValue("false") boolean replay) {

  public WebhookProperties {
    events = List.copyOf(events);
    domains = List.copyOf(domains);
  }

  /**
   * Checks settings that depend on each other.
   *
   * @param property the prefix of these settings
   */
  public void require(String property) {
    URI server = url;
    if (server == null
        || server.getHost() == null
        || !("http".equals(server.getScheme()) || "https".equals(server.getScheme()))
        || server.getRawUserInfo() != null
        || server.getRawFragment() != null) {
      throw new InvalidSettingException(
          property + ".url", "must be an address such as https://server.example/vigil");
    }
    if (!ca.isEmpty() && !"https".equals(server.getScheme())) {
      throw new InvalidSettingException(
          property + ".url", "must begin with https:// when ca is set");
    }
    if (secretFile.isEmpty()) {
      throw new InvalidSettingException(
          property + ".secret-file",
          "must name a file with the secret that signs events; create a secret with: openssl rand -hex 32");
    }
    if (events.isEmpty()) {
      throw new InvalidSettingException(property + ".events", "must be value, alarm or both");
    }
  }

  /** The events that are sent. */
  EventFilter filter() {
    return EventFilter.of(events, domains);
  }
}
