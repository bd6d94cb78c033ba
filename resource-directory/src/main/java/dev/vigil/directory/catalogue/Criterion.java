package dev.vigil.directory.catalogue;

import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.References;
import dev.vigil.directory.registration.Registration;
import java.util.Set;

/**
 * One search criterion (RFC 9176 section 6.2): an attribute has a value, or begins with it.
 *
 * @param value without the trailing asterisk
 * @param prefix whether there was one
 */
record Criterion(String attribute, String value, boolean prefix) {
  static final String HREF = "href";
  static final String ENDPOINT_TYPE = "core.rd-ep";

  /** Those that RFC 6690's ABNF defines as {@code relation-types}: several values, one space. */
  private static final Set<String> RELATION_TYPES = Set.of("rel", "rev", "rt", "if");

  /**
   * What names an endpoint and its sector is decided on when it registers (RFC 9176 section 7.1); a
   * link that says so of itself must not be found in another's name.
   */
  private static final Set<String> OF_ENDPOINTS = Set.of("ep", "d");

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

  /** Whether the endpoint's own link, as an endpoint lookup shows it, has it. */
  boolean matchesEndpoint(Entry entry, Entry.Content content, String ownBase) {
    return switch (attribute) {
      case "ep" -> accepts(entry.name().ep());
      case "d" -> !entry.name().d().isEmpty() && accepts(entry.name().d());
      case "base" -> accepts(base(content, ownBase));
      case "rt" -> accepts(ENDPOINT_TYPE) || matchesParameter(content);
      case HREF -> accepts("/rd/" + entry.id()) || accepts(ownBase + "/rd/" + entry.id());
      default -> matchesParameter(content);
    };
  }

  private boolean matchesParameter(Entry.Content content) {
    for (Query.Parameter parameter : content.parameters()) {
      if (parameter.name().equals(attribute) && acceptsAnyOf(parameter.value())) {
        return true;
      }
    }
    return false;
  }

  boolean matchesLink(Link link, String base) {
    if (OF_ENDPOINTS.contains(attribute)) {
      return false;
    }
    if (attribute.equals(HREF)) {
      return accepts(References.resolve(base, link.target()));
    }
    for (Link.Attribute has : link.attributes()) {
      if (has.name().equals(attribute)
          && (attribute.equals(Link.ANCHOR)
              ? accepts(References.resolve(base, has.text()))
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

  /** What an endpoint's links are resolved against. */
  static String base(Entry.Content content, String ownBase) {
    return switch (content.origin()) {
      case Registration.Direct direct -> direct.base();
      case Registration.Mirrored mirrored -> ownBase;
    };
  }
}
