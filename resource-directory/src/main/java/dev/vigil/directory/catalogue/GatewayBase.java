package dev.vigil.directory.catalogue;

import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.coap.link.UriReferences;
import dev.vigil.directory.publishing.Registration;
import java.util.List;

/**
 * The gateway as one client sees it. Its own resources are described by links to paths that the
 * gateway has rewritten itself; any other link whose target or anchor names the gateway would speak
 * of another endpoint's resource, for instance show a key as the one that signs its values, and is
 * hidden.
 *
 * @param shown scheme and authority of this gateway in lookups; empty: paths stay paths
 * @param requested scheme and authority by which the client reached the gateway
 */
public record GatewayBase(String shown, String requested, OwnAuthorities own) {
  /** Whether all links of an entry would be the gateway's: its base names the gateway. */
  public boolean hidesEntry(CatalogueEntry.Content content) {
    return content.origin() instanceof Registration.Direct direct && isOwn(direct.base());
  }

  /** The links of an entry that do not pose as the gateway's, as they were registered. */
  public List<Link> visible(CatalogueEntry.Content content) {
    return visible(content, content.parseLinks());
  }

  private List<Link> visible(CatalogueEntry.Content content, List<Link> links) {
    return links.stream().anyMatch(link -> hides(content, link))
        ? links.stream().filter(link -> !hides(content, link)).toList()
        : links;
  }

  private boolean hides(CatalogueEntry.Content content, Link link) {
    return hides(content, link.target())
        || link.attributes().stream()
            .anyMatch(
                attribute ->
                    attribute.name().equals(Link.ANCHOR) && hides(content, attribute.text()));
  }

  private boolean hides(CatalogueEntry.Content content, String reference) {
    boolean isPath = reference.startsWith("/") && !reference.startsWith("//");
    return !isPath
        && switch (content.origin()) {
          case Registration.Direct direct -> isOwn(UriReferences.resolve(direct.base(), reference));
          case Registration.Published atGateway ->
              isOwn(UriReferences.resolve(requested, reference));
        };
  }

  private boolean isOwn(String uri) {
    return own.contains(uri, requested) || own.contains(uri, shown);
  }
}
