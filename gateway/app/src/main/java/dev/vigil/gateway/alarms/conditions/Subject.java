package dev.vigil.gateway.alarms.conditions;

import org.jspecify.annotations.Nullable;

/**
 * The subject of an alarm.
 *
 * @param d domain; null: the gateway itself
 * @param ep endpoint name; null: the alarm is about none
 * @param endpoint id of the endpoint, as in {@code /ms/{id}}
 * @param part path of the resource, or name of the radio; null: none
 */
public record Subject(
    @Nullable String d, @Nullable String ep, @Nullable String endpoint, @Nullable String part) {
  public static final Subject GATEWAY = new Subject(null, null, null, null);

  /** The owner of alarms that do not depend on the state of a single endpoint. */
  public static final String NO_ENDPOINT = "";

  public static Subject part(String part) {
    return new Subject(null, null, null, part);
  }

  public static Subject domain(String d) {
    return new Subject(d, null, null, null);
  }

  /** The endpoint whose conditions raise and clear the alarm; {@link #NO_ENDPOINT}: none. */
  public String owner() {
    return endpoint == null ? NO_ENDPOINT : endpoint;
  }
}
