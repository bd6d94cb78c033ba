package dev.vigil.mirror.limits;

import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.limits.FairPool.Bounds;
import dev.vigil.coap.limits.FairPool.Leaving;
import dev.vigil.mirror.model.HeldKey;
import dev.vigil.mirror.model.HeldKeys;
import dev.vigil.mirror.model.keys.KeyArrival;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.TrustState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The places of the keys that wait for one name. Sources share them. A source with more than its
 * share loses its newest key to a newcomer from another source; its older keys stay.
 */
public final class NamePlaces {
  /** Number of keys that may wait for one name, including the endpoint's own pending key. */
  public static final int MAX_KEYS = 8;

  private NamePlaces() {}

  /**
   * The keys of a name after a newcomer took a place; null if there is no place for its source.
   *
   * @param own the endpoint's own key, which has a place while it is pending
   */
  public static @Nullable HeldKeys admit(KeyHistory own, HeldKeys held, HeldKey newcomer) {
    List<HeldKey> kept = new ArrayList<>(held.keys());
    FairPool<String> places =
        new FairPool<>(
            new Bounds(MAX_KEYS, MAX_KEYS, MAX_KEYS),
            Leaving.NEWEST,
            jkt -> kept.removeIf(key -> key.jkt().equals(jkt)));
    if (own.state() == TrustState.PENDING) {
      KeyArrival arrival = own.arrival();
      places.admit(WaitingSource.of(arrival), own.jkt());
    }
    for (HeldKey key : held.keys()) {
      places.admit(WaitingSource.of(key.arrival()), key.jkt());
    }
    if (places.admit(WaitingSource.of(newcomer.arrival()), newcomer.jkt()) == null) {
      return null;
    }
    kept.add(newcomer);
    return held.withKeys(kept);
  }
}
