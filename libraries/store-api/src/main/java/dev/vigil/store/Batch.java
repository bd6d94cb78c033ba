package dev.vigil.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
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

  /**
   * The rule of the store: the refusal of this batch by an endpoint in a given state; empty if the
   * batch may be committed.
   *
   * @param high H of the endpoint; 0 before the first number
   * @param present the endpoint's version; 0 if it does not exist
   */
  public Optional<SubmitResult> refusal(long high, long present) {
    if (sequence.isPresent() && sequence.getAsLong() <= high) {
      return Optional.of(new SubmitResult.SequenceUsed(high));
    }
    if (version.isPresent() && version.getAsLong() != present) {
      return Optional.of(new SubmitResult.VersionMoved(present));
    }
    return Optional.empty();
  }
}
