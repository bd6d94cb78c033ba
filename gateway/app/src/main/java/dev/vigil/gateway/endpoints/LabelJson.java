package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.labels.EndpointLabel;
import org.jspecify.annotations.Nullable;

/**
 * The name and the location that operators gave an endpoint.
 *
 * @param name at most 100 characters
 * @param location at most 200 characters
 */
record LabelJson(@Nullable String name, @Nullable String location) {
  static LabelJson of(EndpointLabel label) {
    return new LabelJson(label.name(), label.location());
  }
}
