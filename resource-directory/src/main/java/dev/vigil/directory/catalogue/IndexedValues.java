package dev.vigil.directory.catalogue;

import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.UriReferences;
import dev.vigil.directory.publishing.Registration;
import java.util.List;

/** Enumerates the values by which the index finds an entry. */
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
      consumer.accept(Catalogue.TARGETS, reference(link.target()));
      for (Link.Attribute attribute : link.attributes()) {
        if (attribute.name().equals(Link.ANCHOR)) {
          consumer.accept(Catalogue.ANCHORS, reference(attribute.text()));
        } else {
          forEach(attribute.name(), attribute.text(), consumer);
        }
      }
    }
  }

  /** A reference in the form that resolution appends to the base. */
  private static String reference(String written) {
    return UriReferences.hasScheme(written) ? written : UriReferences.normalPath(written);
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
