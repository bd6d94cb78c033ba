package dev.vigil.gateway.labels;

import org.jspecify.annotations.Nullable;

/**
 * The name and the location that operators gave an endpoint.
 *
 * @param name at most 100 characters
 * @param location at most 200 characters
 */
public record LabelJson(@Nullable String name, @Nullable String location) {
  public static LabelJson of(EndpointLabel label) {
    return new LabelJson(label.name(), label.location());
  }
}
