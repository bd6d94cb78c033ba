package dev.vigil.gateway.labels;

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
public record EndpointLabel(String d, String ep, @Nullable String name, @Nullable String location) {
  /** The kind of these records; their ids are those of the endpoints. */
  public static final String KIND = "endpoint-label";

  /** Labels at most. */
  public static final int MAX = 200_000;

  /** Whether the name or the location contains a text in lower case. */
  public boolean contains(String text) {
    return name != null && name.toLowerCase(Locale.ROOT).contains(text)
        || location != null && location.toLowerCase(Locale.ROOT).contains(text);
  }
}
