package dev.vigil.directory.catalogue;

import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.coap.link.UriReferences;
import dev.vigil.directory.publishing.Registration;
import java.util.List;

/**
 * The gateway as one client sees it. Its own resources are described by links to paths that the
 * gateway has rewritten itself; any other link whose target or anchor names the gateway is hidden.
 * Such a link would describe another endpoint's resource, for instance by presenting a key as the
 * one that signs its values.
 */
public final class GatewayBase {
  private final String shown;
  private final String requested;
  private final OwnAuthorities.Seen own;

  /**
   * @param shown scheme and authority of this gateway in lookups; if empty, paths stay paths
   * @param requested scheme and authority by which the client reached the gateway
   */
  public GatewayBase(String shown, String requested, OwnAuthorities own) {
    this.shown = shown;
    this.requested = requested;
    this.own = own.seenAs(requested, shown);
  }

  /** Scheme and authority of this gateway in lookups; if empty, paths stay paths. */
  public String shown() {
    return shown;
  }

  /**
   * Whether all links of an entry would refer to the gateway, because its base names the gateway.
   */
  public boolean hidesEntry(CatalogueEntry.Content content) {
    return content.origin() instanceof Registration.Direct direct && own.contains(direct.base());
  }

  /** The links of an entry, as registered, that do not pose as links of the gateway. */
  public List<Link> visible(CatalogueEntry entry, CatalogueEntry.Content content) {
    List<Link> links = content.parseLinks(entry.id());
    for (Link link : links) {
      if (hides(content, link)) {
        return links.stream().filter(other -> !hides(content, other)).toList();
      }
    }
    return links;
  }

  private boolean hides(CatalogueEntry.Content content, Link link) {
    if (hides(content, link.target())) {
      return true;
    }
    for (Link.Attribute attribute : link.attributes()) {
      if (attribute.name().equals(Link.ANCHOR) && hides(content, attribute.text())) {
        return true;
      }
    }
    return false;
  }

  private boolean hides(CatalogueEntry.Content content, String reference) {
    boolean isPath = reference.startsWith("/") && !reference.startsWith("//");
    return !isPath
        && own.contains(
            switch (content.origin()) {
              case Registration.Direct direct -> UriReferences.resolve(direct.base(), reference);
              case Registration.Published atGateway -> UriReferences.resolve(requested, reference);
            });
  }
}
