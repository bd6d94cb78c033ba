package dev.vigil.gateway.api;

import java.util.List;

/** Names of administrative domains in the REST API and in settings. */
public final class DomainNames {
  /** The name of the unnamed domain in the REST API. */
  public static final String NAMELESS = "-";

  private DomainNames() {}

  /** The name of the domain that a parameter of the REST API names. */
  public static String named(String d) {
    return d.equals(NAMELESS) ? "" : d;
  }

  /** The name of a domain as the REST API writes it. */
  public static String label(String d) {
    return d.isEmpty() ? NAMELESS : d;
  }

  /**
   * Whether a setting's list has a domain.
   *
   * @param names as the REST API writes them; none: all domains
   */
  public static boolean isIn(List<String> names, String domain) {
    return names.isEmpty() || names.contains(label(domain));
  }

  /** The property of a domain's settings, without {@code vigil.}. */
  public static String property(String name) {
    return name.isEmpty() ? "default-domain" : "domains." + name;
  }
}
