package dev.vigil.mirror.state;

import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.TrustState;

/** A plain registration that awaits its first valid update. */
public record UnprovenTarget(UnprovenRegistration registration, KeyHistory keys)
    implements RequestTarget {
  static UnprovenTarget of(UnprovenRegistration registration) {
    KeyHistory keys = KeyHistory.of(registration.request().key(), TrustState.UNPROVEN, null);
    return new UnprovenTarget(registration, keys);
  }

  @Override
  public String id() {
    return registration.id();
  }

  @Override
  public Domain domain() {
    return registration.request().domain();
  }

  @Override
  public Lease lease() {
    return registration.request().lease();
  }

  @Override
  public long high() {
    return registration.high();
  }
}
