package dev.vigil.directory.state;

import java.time.Instant;
import java.util.List;

/**
 * A batch that landed.
 *
 * @param position its place in the feed, counted up from 1; numbers may be missing, because
 *     superseded changes go
 * @param id the endpoint's short id, the same for ever once given: {@code /ms/{id}}
 * @param high H, the highest sequence number that landed for the endpoint, this change included; 0
 *     before the first
 * @param version counts the batches of this endpoint that landed, this one included
 * @param facts those of the batch that are not superseded
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

  /** Whether it brings a fact of a slot. */
  public boolean isAbout(String slot) {
    for (Fact fact : facts) {
      if (fact.slot().equals(slot)) {
        return true;
      }
    }
    return false;
  }
}
