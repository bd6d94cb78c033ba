package dev.vigil.gateway.tags;

import java.util.List;

/**
 * The tags that operators gave an endpoint.
 *
 * @param d domain of the endpoint
 * @param ep its endpoint name
 * @param tags in alphabetical order; never empty
 */
public record EndpointTags(String d, String ep, List<String> tags) {
  /** The kind of these records. The id of a record is the id of its endpoint. */
  static final String KIND = "endpoint-tags";

  /** The maximum number of tagged endpoints. */
  static final int MAX = 200_000;
}
