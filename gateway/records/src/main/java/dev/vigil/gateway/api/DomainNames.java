package dev.vigil.gateway.api;

import java.util.List;

/** Names of administrative domains in the REST API and in settings. */
public final class DomainNames {
  /** The name of the unnamed domain in the REST API. */
  public static final String NAMELESS = "-";

  private DomainNames() {}

  /**
   * The internal domain name for a value of the REST API; {@link #NAMELESS} becomes the empty name.
   */
  public static String named(String d) {
    return d.equals(NAMELESS) ? "" : d;
  }

  /** The name of a domain in the notation of the REST API. */
  public static String label(String d) {
    return d.isEmpty() ? NAMELESS : d;
  }

  /**
   * Whether a setting's list of domains includes a domain.
   *
   * @param names in the notation of the REST API; an empty list means all domains
   */
  public static boolean isIn(List<String> names, String domain) {
    return names.isEmpty() || names.contains(label(domain));
  }

  /** The property prefix of a domain's settings, without {@code vigil.}. */
  public static String property(String name) {
    return name.isEmpty() ? "default-domain" : "domains." + name;
  }
}
