package dev.vigil.directory.catalogue;

import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.UriReferences;
import dev.vigil.directory.publishing.Registration;
import java.util.Set;

/**
 * One search criterion (RFC 9176 section 6.2): an attribute equals a value, or begins with it.
 *
 * @param value the wanted value, without the trailing asterisk
 * @param prefix whether there was an asterisk
 */
record Criterion(String attribute, String value, boolean prefix) {
  static final String HREF = "href";
  static final String ENDPOINT_TYPE = "core.rd-ep";

  /** Attributes with several values, separated by a space: {@code relation-types} in RFC 6690. */
  private static final Set<String> RELATION_TYPES = Set.of("rel", "rev", "rt", "if");

  /**
   * Endpoint name and sector are authorized at registration (RFC 9176 section 7.1). A link
   * attribute with such a name must not be found as another endpoint's name.
   */
  private static final Set<String> ENDPOINT_ATTRIBUTES = Set.of("ep", "d");

  static Criterion of(Query.Parameter parameter) {
    String value = parameter.value();
    return value.endsWith("*")
        ? new Criterion(parameter.name(), value.substring(0, value.length() - 1), true)
        : new Criterion(parameter.name(), value, false);
  }

  static boolean hasSeveralValues(String attribute) {
    return RELATION_TYPES.contains(attribute);
  }

  boolean accepts(String candidate) {
    return prefix ? candidate.startsWith(value) : candidate.equals(value);
  }

  /** Whether the endpoint's link in an endpoint lookup matches. */
  boolean matchesEndpoint(CatalogueEntry entry, CatalogueEntry.Content content, String ownBase) {
    return switch (attribute) {
      case "ep" -> accepts(entry.name().ep());
      case "d" -> !entry.name().d().isEmpty() && accepts(entry.name().d());
      case "base" -> accepts(base(content, ownBase));
      case "rt" -> accepts(ENDPOINT_TYPE) || matchesParameter(content);
      case HREF -> accepts("/rd/" + entry.id()) || accepts(ownBase + "/rd/" + entry.id());
      default -> matchesParameter(content);
    };
  }

  private boolean matchesParameter(CatalogueEntry.Content content) {
    for (Query.Parameter parameter : content.parameters()) {
      if (parameter.name().equals(attribute) && acceptsAnyOf(parameter.value())) {
        return true;
      }
    }
    return false;
  }

  boolean matchesLink(Link link, String base) {
    if (ENDPOINT_ATTRIBUTES.contains(attribute)) {
      return false;
    }
    if (attribute.equals(HREF)) {
      return accepts(UriReferences.resolve(base, link.target()));
    }
    for (Link.Attribute has : link.attributes()) {
      if (has.name().equals(attribute)
          && (attribute.equals(Link.ANCHOR)
              ? accepts(UriReferences.resolve(base, has.text()))
              : acceptsAnyOf(has.text()))) {
        return true;
      }
    }
    return false;
  }

  private boolean acceptsAnyOf(String values) {
    if (!hasSeveralValues(attribute) || values.indexOf(' ') < 0) {
      return accepts(values);
    }
    for (String one : values.split(" ")) {
      if (!one.isEmpty() && accepts(one)) {
        return true;
      }
    }
    return false;
  }

  /** The base against which an endpoint's links are resolved. */
  static String base(CatalogueEntry.Content content, String ownBase) {
    return switch (content.origin()) {
      case Registration.Direct direct -> direct.base();
      case Registration.Published published -> ownBase;
    };
  }
}
