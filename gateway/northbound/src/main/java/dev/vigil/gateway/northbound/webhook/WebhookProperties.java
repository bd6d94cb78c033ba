package dev.vigil.gateway.northbound.webhook;

import dev.vigil.gateway.northbound.Language;
import dev.vigil.gateway.northbound.events.EventFilter;
import dev.vigil.gateway.northbound.template.BodyTemplate;
import dev.vigil.gateway.northbound.template.EventNames;
import dev.vigil.gateway.northbound.template.InvalidTemplateException;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An HTTP server that receives events.
 *
 * @param url {@code https://} or {@code http://}; the address may contain a secret and is never
 *     shown
 * @param secretFile a file with the secret that signs events; only its owner may read the file.
 *     Empty: unsigned, which is possible only with a {@code body}
 * @param ca a PEM file with the authorities that may issue the server's certificate; empty: Java's
 *     authorities
 * @param events which events are sent
 * @param domains names of the domains whose events are sent, {@code -} for the unnamed domain;
 *     empty: all domains and the gateway itself
 * @param replay whether a new server receives the events that the store already contains
 * @param body a template of the body; empty: the CloudEvent
 * @param contentType of the body
 * @param language of the texts in the body
 * @param headers further headers by name
 * @param headerFiles files with the values of secret headers, by name; only their owner may read
 *     the files
 */
public record WebhookProperties(
    @Nullable URI url,
    @DefaultValue("") String secretFile,
    @DefaultValue("") String ca,
    @DefaultValue({"value", "alarm"}) List<EventFilter.Kind> events,
    @DefaultValue List<String> domains,
    @DefaultValue("false") boolean replay,
    @DefaultValue("") String body,
    @DefaultValue("application/json") String contentType,
    @DefaultValue("en") Language language,
    @DefaultValue Map<String, String> headers,
    @DefaultValue Map<String, String> headerFiles) {
  private static final Pattern CONTENT_TYPE =
      Pattern.compile("(?i)[a-z]+/[a-z0-9.+-]+(; ?charset=utf-8)?");

  public WebhookProperties {
    events = List.copyOf(events);
    domains = List.copyOf(domains);
    headers = Map.copyOf(headers);
    headerFiles = Map.copyOf(headerFiles);
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
    if (secretFile.isEmpty() && body.isEmpty()) {
      throw new InvalidSettingException(
          property + ".secret-file",
          "must name a file with the secret that signs events; create a secret with: openssl rand -hex 32");
    }
    if (events.isEmpty()) {
      throw new InvalidSettingException(property + ".events", "must be value, alarm or both");
    }
    WebhookHeaders.require(property, headers, headerFiles);
    if (!CONTENT_TYPE.matcher(contentType).matches() || !BodyTemplate.supports(contentType)) {
      throw new InvalidSettingException(
          property + ".content-type",
          "must be application/json, another type of JSON, text/plain or"
              + " application/x-www-form-urlencoded");
    }
    template(property, endpoint -> null);
  }

  /**
   * Compiles the template of the body.
   *
   * @return empty: the body is the CloudEvent
   */
  Optional<BodyTemplate> template(String property, EventNames.Links links) {
    if (body.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(BodyTemplate.of(body, contentType, language, links));
    } catch (InvalidTemplateException e) {
      throw new InvalidSettingException(property + ".body", e.predicate());
    }
  }

  /** The events that are sent. */
  EventFilter filter() {
    return EventFilter.of(events, domains);
  }
}
