package dev.vigil.directory.catalogue;

import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.References;
import dev.vigil.directory.registration.Registration;
import java.util.List;

/** The values that an entry is found by in the index, one by one. */
final class Values {
  private Values() {}

  /** Hears of each. */
  @FunctionalInterface
  interface Consumer {
    void accept(String attribute, String value);
  }

  static void forEach(Entry entry, List<Link> links, Consumer consumer) {
    Entry.Content content = entry.content();
    if (!entry.name().d().isEmpty()) {
      consumer.accept("d", entry.name().d());
    }
    if (content.origin() instanceof Registration.Direct direct) {
      consumer.accept(Catalogue.ORIGINS, References.origin(direct.base()));
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

  /** As resolving will write it behind the base. */
  private static String reference(String written) {
    return References.hasScheme(written) ? written : References.normalPath(written);
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
