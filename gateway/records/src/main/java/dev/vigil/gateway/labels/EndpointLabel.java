package dev.vigil.gateway.labels;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The name and location that operators gave an endpoint.
 *
 * @param d domain of the endpoint
 * @param ep its endpoint name
 * @param name for people; null: none
 * @param location for people; null: none
 */
public record EndpointLabel(String d, String ep, @Nullable String name, @Nullable String location) {
  /** The kind of these records. The id of a record is the id of its endpoint. */
  public static final String KIND = "endpoint-label";

  /** The maximum number of labels. */
  public static final int MAX = 200_000;

  /** Whether the name or the location contains a lower-case text, ignoring case. */
  public boolean contains(String text) {
    return name != null && name.toLowerCase(Locale.ROOT).contains(text)
        || location != null && location.toLowerCase(Locale.ROOT).contains(text);
  }
}
