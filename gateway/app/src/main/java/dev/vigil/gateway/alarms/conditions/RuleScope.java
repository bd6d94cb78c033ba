package dev.vigil.gateway.alarms.conditions;

import org.jspecify.annotations.Nullable;

/**
 * The endpoints and resources that a rule watches.
 *
 * @param d domain; null: all domains
 * @param ep pattern of endpoint names, in which * stands for any characters
 * @param path pattern of resource paths, likewise
 */
public record RuleScope(@Nullable String d, String ep, String path) {
  public static final RuleScope ALL = new RuleScope(null, "*", "*");

  public boolean fits(String domain, String endpoint) {
    return (d == null || d.equals(domain)) && NamePattern.matches(ep, endpoint);
  }

  public boolean fitsPath(String resource) {
    return NamePattern.matches(path, resource);
  }
}
