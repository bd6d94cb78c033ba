package dev.vigil.directory.catalogue;

import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.UriReferences;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.directory.publishing.Registration;
import java.util.List;

/**
 * Enumerates the values by which the index finds an entry. Paths of published resources are not
 * among them, because they contain the entry's id.
 */
final class IndexedValues {
  private IndexedValues() {}

  @FunctionalInterface
  interface Consumer {
    void accept(String attribute, String value);
  }

  static void forEach(CatalogueEntry entry, List<Link> links, Consumer consumer) {
    CatalogueEntry.Content content = entry.content();
    if (!entry.name().d().isEmpty()) {
      consumer.accept("d", entry.name().d());
    }
    if (content.origin() instanceof Registration.Direct direct) {
      consumer.accept(Catalogue.ORIGINS, UriReferences.origin(direct.base()));
    }
    for (Query.Parameter parameter : content.parameters()) {
      forEach(parameter.name(), parameter.value(), consumer);
    }
    for (Link link : links) {
      reference(entry, Catalogue.TARGETS, link.target(), consumer);
      for (Link.Attribute attribute : link.attributes()) {
        if (attribute.name().equals(Link.ANCHOR)) {
          reference(entry, Catalogue.ANCHORS, attribute.text(), consumer);
        } else {
          forEach(attribute.name(), attribute.text(), consumer);
        }
      }
    }
  }

  /** A reference in the form that resolution appends to the base. */
  private static void reference(
      CatalogueEntry entry, String attribute, String written, Consumer consumer) {
    PublishedLocation location = entry.content().location();
    if (location == null || !PublishedLinks.namesEntry(written, location, entry.id())) {
      consumer.accept(
          attribute,
          UriReferences.hasScheme(written) ? written : UriReferences.normalPath(written));
    }
  }

  private static void forEach(String name, String value, Consumer consumer) {
    if (!Criterion.hasSeveralValues(name) || value.indexOf(' ') < 0) {
      consumer.accept(name, value);
      return;
    }
    for (String one : value.split(" ")) {
      if (!one.isEmpty()) {
        consumer.accept(name, one);
      }
    }
  }
}
