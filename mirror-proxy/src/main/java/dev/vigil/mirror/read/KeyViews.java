package dev.vigil.mirror.read;

import dev.vigil.mirror.model.HeldKey;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.RegistrationRequest;
import dev.vigil.mirror.model.keys.KeyArrival;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.state.UnprovenRegistration;
import dev.vigil.signed.jose.Jwk;
import org.jspecify.annotations.Nullable;

/** Builds the views of an endpoint's keys. */
final class KeyViews {
  private KeyViews() {}

  /**
   * @param shown the state of the present key, {@code REVOKED} if it was revoked
   */
  static KeyView present(MirroredEndpoint endpoint, KeyHistory keys, TrustState shown) {
    KeyView view = of(endpoint, keys.jkt(), keys.key(), shown, false, keys.note());
    if (keys.state() != TrustState.PENDING) {
      return view;
    }
    Lease lease = endpoint.lease();
    KeyArrival arrival = keys.arrival();
    return view.waiting(
        arrival == null && lease != null ? KeyArrival.unknown(lease.registered()) : arrival);
  }

  static KeyView former(MirroredEndpoint endpoint, Jwk key, TrustState shown) {
    return of(endpoint, key.thumbprint(), key, shown, false, null);
  }

  static KeyView held(MirroredEndpoint endpoint, HeldKey held) {
    return of(endpoint, held.jkt(), held.key(), TrustState.PENDING, true, held.why())
        .waiting(held.arrival());
  }

  /** A key that an operator approved for the name and that has not yet registered since. */
  static KeyView approvedAhead(MirroredEndpoint endpoint, String jkt) {
    return of(endpoint, jkt, null, null, false, null);
  }

  private static KeyView of(
      MirroredEndpoint endpoint,
      String jkt,
      @Nullable Jwk key,
      @Nullable TrustState state,
      boolean held,
      @Nullable String note) {
    return new KeyView(
        jkt,
        key,
        endpoint.id(),
        endpoint.name().ep(),
        endpoint.name().d(),
        state,
        held,
        note,
        null);
  }

  /** A listed key that no endpoint has used. */
  static KeyView listed(String domain, ListedKey key) {
    return new KeyView(key.jkt(), key.key(), null, key.ep(), domain, null, false, null, null);
  }

  /** A revoked key that no endpoint has or had. */
  static KeyView revoked(String jkt) {
    return new KeyView(jkt, null, null, null, "", TrustState.REVOKED, false, null, null);
  }

  static KeyView unproven(UnprovenRegistration unproven) {
    RegistrationRequest request = unproven.request();
    return new KeyView(
        request.jkt(),
        request.key(),
        unproven.id(),
        request.name().ep(),
        request.name().d(),
        TrustState.UNPROVEN,
        false,
        null,
        null);
  }
}
