package dev.vigil.mirror.state;

import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.keys.KeyHistory;

/** An endpoint in the store, whose key was proven by a signature or by DTLS. */
public record ProvenTarget(MirroredEndpoint endpoint, Domain domain, KeyHistory keys, Lease lease)
    implements RequestTarget {
  @Override
  public String id() {
    return endpoint.id();
  }

  @Override
  public long high() {
    return endpoint.high();
  }

  /** The same target in a newer state. */
  public ProvenTarget withEndpoint(MirroredEndpoint newEndpoint) {
    return new ProvenTarget(newEndpoint, domain, keys, lease);
  }
}
