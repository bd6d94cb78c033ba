package dev.vigil.store;

import java.time.Instant;
import java.util.List;

/**
 * A committed batch.
 *
 * @param position place in the feed, counted from 1; numbers may be missing, because superseded
 *     changes are removed
 * @param id the endpoint's short id, which is permanent and never given to another endpoint;
 *     unreserved URI characters only (RFC 3986 section 2.3), so that it can be used as a path
 *     segment unchanged
 * @param high H, the highest sequence number committed for the endpoint up to this change; 0 before
 *     the first
 * @param version number of batches committed for this endpoint up to this change
 * @param facts the batch's facts that are not superseded
 */
public record Change(
    long position,
    String id,
    EndpointName endpoint,
    Instant at,
    long high,
    long version,
    List<Fact> facts) {

  public Change {
    facts = List.copyOf(facts);
  }

  /** Whether the change has a fact of a slot. */
  public boolean isAbout(String slot) {
    for (Fact fact : facts) {
      if (fact.slot().equals(slot)) {
        return true;
      }
    }
    return false;
  }
}
