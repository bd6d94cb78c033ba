package dev.vigil.gateway.endpoints;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How operators call an endpoint, and where it is.
 *
 * @param d domain of the endpoint
 * @param ep its name
 * @param name for people; null: none
 * @param location for people; null: none
 */
record EndpointLabel(String d, String ep, @Nullable String name, @Nullable String location) {
  /** Whether the name or the location contains a text in lower case. */
  boolean contains(String text) {
    return name != null && name.toLowerCase(Locale.ROOT).contains(text)
        || location != null && location.toLowerCase(Locale.ROOT).contains(text);
  }
}
