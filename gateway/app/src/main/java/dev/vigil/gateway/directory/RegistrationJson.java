package dev.vigil.gateway.directory;

import dev.vigil.coap.exchange.Query;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.publishing.Registration.Direct;
import dev.vigil.gateway.api.DomainNames;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An endpoint that registered its own links in the directory.
 *
 * @param id as in {@code /rd/{id}}
 * @param href path of the registration
 * @param d domain, "-" for the one without a name
 * @param base URI against which its links are resolved
 * @param simple whether it was made by simple registration (RFC 9176 section 5.1)
 * @param expiresAt when it expires: from then on lookups do not show it
 * @param expired whether it has expired; it can still be renewed for a while
 * @param links number of links
 * @param attributes further parameters of the registration, such as et
 */
record RegistrationJson(
    String id,
    String href,
    String ep,
    String d,
    String base,
    boolean simple,
    long lifetimeSeconds,
    Instant expiresAt,
    boolean expired,
    int links,
    Map<String, String> attributes) {
  static RegistrationJson of(CatalogueEntry entry, Direct origin, long now) {
    CatalogueEntry.Content content = entry.content();
    String d = entry.name().d();
    return new RegistrationJson(
        entry.id(),
        "/rd/" + entry.id(),
        entry.name().ep(),
        d.isEmpty() ? DomainNames.NAMELESS : d,
        origin.base(),
        origin.simple(),
        content.lifetime(),
        Instant.ofEpochMilli(content.expires()),
        content.expires() <= now,
        content.parseLinks(entry.id()).size(),
        content.parameters().stream()
            .collect(
                Collectors.toMap(
                    Query.Parameter::name,
                    Query.Parameter::value,
                    (first, second) -> first + " " + second)));
  }
}
