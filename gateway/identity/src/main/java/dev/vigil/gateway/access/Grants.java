package dev.vigil.gateway.access;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.gateway.api.DomainNames;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The roles of an account or a token.
 *
 * @param roles roles by domain; {@link Access#EVERY_DOMAIN} stands for all domains and for objects
 *     outside of domains
 */
public record Grants(Map<String, Role> roles) {
  public static final Grants NONE = new Grants(Map.of());

  /** The role of administrator in every domain. */
  public static final Grants ALL = new Grants(Map.of(Access.EVERY_DOMAIN, Role.ADMINISTRATOR));

  private static final char SEPARATOR = ':';

  public Grants {
    roles = Map.copyOf(roles);
  }

  /**
   * Parses grants in the form of {@link #texts}.
   *
   * @throws IllegalArgumentException when a text is malformed, with a message for the client
   */
  public static Grants of(Iterable<String> texts) {
    Map<String, Role> roles = new TreeMap<>();
    for (String text : texts) {
      int separator = text.indexOf(SEPARATOR);
      String label = separator < 0 ? text : text.substring(0, separator);
      Role role =
          Role.of(label)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "a role is viewer, operator or administrator, for all domains, or"
                              + " followed by a colon and a domain, for instance viewer:plant"));
      String domain = separator < 0 ? "" : text.substring(separator + 1);
      if (separator >= 0 && (domain.isEmpty() || domain.startsWith("."))) {
        throw new IllegalArgumentException(
            "a domain follows the colon of a role; - is the unnamed domain");
      }
      roles.merge(
          separator < 0 ? Access.EVERY_DOMAIN : DomainNames.named(domain), role, Grants::more);
    }
    return new Grants(roles);
  }

  /** Each role as text: {@code viewer} in every domain, {@code viewer:plant} in one. */
  public Set<String> texts() {
    Set<String> texts = new TreeSet<>();
    roles.forEach((domain, role) -> texts.add(role.label() + suffix(domain)));
    return texts;
  }

  private static String suffix(String domain) {
    return switch (domain) {
      case Access.EVERY_DOMAIN -> "";
      case "" -> SEPARATOR + DomainNames.NAMELESS;
      default -> SEPARATOR + domain;
    };
  }

  /** The role in a domain; null without a role. */
  public @Nullable Role role(String domain) {
    Role everywhere = roles.get(Access.EVERY_DOMAIN);
    Role here = roles.get(domain);
    return everywhere == null ? here : here == null ? everywhere : more(everywhere, here);
  }

  boolean permit(Action action, String domain) {
    Role role = role(domain);
    return role != null && role.permits(action);
  }

  /** Whether these grants permit everything that the others permit. */
  public boolean include(Grants others) {
    return others.roles.entrySet().stream()
        .allMatch(
            other -> {
              Role own = role(other.getKey());
              return own != null && own.compareTo(other.getValue()) >= 0;
            });
  }

  /** The rights that both grants permit. */
  public Grants and(Grants others) {
    Map<String, Role> both = new TreeMap<>();
    Set<String> domains = new TreeSet<>(roles.keySet());
    domains.addAll(others.roles.keySet());
    for (String domain : domains) {
      Role one = role(domain);
      Role other = others.role(domain);
      if (one != null && other != null) {
        both.put(domain, one.compareTo(other) < 0 ? one : other);
      }
    }
    return new Grants(both);
  }

  private static Role more(Role one, Role other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
