package dev.vigil.mirror.state;

import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.keys.KeyHistory;

/**
 * The endpoint that a request below {@code /ms/{id}} addresses. Its registration has not expired.
 */
public sealed interface RequestTarget permits ProvenTarget, UnprovenTarget {
  /** The endpoint's present id, even if the request used an id from before the proof. */
  String id();

  Domain domain();

  KeyHistory keys();

  Lease lease();

  /** H, the highest accepted sequence number. */
  long high();
}
