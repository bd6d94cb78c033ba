package dev.vigil.store;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * All changes of one request to one endpoint. A batch is committed whole or not at all.
 *
 * @param at arrival of the request
 * @param sequence sequence number of a signed object; the batch is committed only if it is higher
 *     than every number committed before for this endpoint
 * @param version the endpoint's version that the decision is based on (0: it did not exist); the
 *     batch is committed only if it is still the present version
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
