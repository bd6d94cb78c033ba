package dev.vigil.gateway.alarms.conditions;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints and resources that a rule watches.
 *
 * @param d domain; null: all domains
 * @param ep pattern of endpoint names, in which * stands for any characters
 * @param path pattern of resource paths, likewise
 * @param tags that an endpoint has, all of them
 */
public record RuleScope(@Nullable String d, String ep, String path, List<String> tags) {
  public static final RuleScope ALL = new RuleScope(null, "*", "*", List.of());

  /**
   * @param tags null in rules that were stored before tags existed
   */
  public RuleScope(@Nullable String d, String ep, String path, @Nullable List<String> tags) {
    this.d = d;
    this.ep = ep;
    this.path = path;
    this.tags = tags == null ? List.of() : List.copyOf(tags);
  }

  /**
   * @param ofEndpoint the tags that the endpoint has
   */
  public boolean fits(String domain, String endpoint, List<String> ofEndpoint) {
    return (d == null || d.equals(domain))
        && NamePattern.matches(ep, endpoint)
        && ofEndpoint.containsAll(tags);
  }

  public boolean fitsPath(String resource) {
    return NamePattern.matches(path, resource);
  }
}
