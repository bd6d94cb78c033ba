package dev.vigil.gateway.publish;

import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.publishing.Registration;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The registration of an endpoint that a remote directory should have.
 *
 * @param parameters parameters of the registration, without its lifetime
 * @param links in link format; path-absolute links refer to this gateway
 * @param expires unix time in seconds
 */
record DesiredRegistration(List<Query.Parameter> parameters, byte[] links, long expires) {

  /**
   * @param entry of the local directory
   * @param links links of the entry, as in lookups
   * @param base scheme and authority of this gateway; empty: the source address of the request
   * @param now unix time in seconds
   * @return empty when the entry is not published because it has expired or this gateway does not
   *     mirror it
   */
  static Optional<DesiredRegistration> of(
      CatalogueEntry entry, List<Link> links, String base, long now) {
    CatalogueEntry.Content content = entry.content();
    long expires = content.expires() / 1000;
    if (!(content.origin() instanceof Registration.Published) || expires <= now) {
      return Optional.empty();
    }
    List<Query.Parameter> parameters = new ArrayList<>();
    parameters.add(new Query.Parameter("ep", entry.name().ep()));
    if (!entry.name().d().isEmpty()) {
      parameters.add(new Query.Parameter("d", entry.name().d()));
    }
    if (!base.isEmpty()) {
      parameters.add(new Query.Parameter("base", base));
    }
    parameters.addAll(content.parameters());
    return Optional.of(
        new DesiredRegistration(List.copyOf(parameters), LinkFormat.writeOctets(links), expires));
  }

  /** A digest of parameters and links, for detecting differences. */
  String digest() {
    byte[] text = parameters.toString().getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[text.length + links.length];
    System.arraycopy(text, 0, all, 0, text.length);
    System.arraycopy(links, 0, all, text.length, links.length);
    return PublishedRegistration.digest(all);
  }
}
