package dev.vigil.directory.state;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * Everything that one request changes, for one endpoint. It lands whole or not at all.
 *
 * @param at when the request came
 * @param sequence the number of a signed object; the batch lands only if it is higher than every
 *     number that landed before for this endpoint
 * @param version the endpoint's version that the caller decided on (0: it did not exist); the batch
 *     lands only if that is still the version
 */
public record Batch(
    EndpointName endpoint,
    Instant at,
    OptionalLong sequence,
    OptionalLong version,
    List<Fact> facts) {

  public Batch {
    facts = List.copyOf(facts);
  }
}
