package dev.vigil.mirror.state;

import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.store.Store;
import java.nio.charset.StandardCharsets;

/**
 * Finds the names for which no key was ever trusted and about which no operator has decided.
 * Everything known about such a name may be removed, including its audit trail, because a stranger
 * can create any number of names.
 */
public final class NeverTrustedNames {
  /** Number of audit records to examine; about a name with more, an operator has decided. */
  private static final int MAX_RECORDS = 1000;

  /** An audit record of the mirror itself ({@link BatchFactory#audit}). */
  private static final String BY_MIRROR = "\"by\":\"mirror\"";

  private final Store store;
  private final MirrorState state;

  public NeverTrustedNames(Store store, MirrorState state) {
    this.store = store;
    this.state = state;
  }

  public boolean contains(MirroredEndpoint endpoint) {
    KeyHistory keys = endpoint.keys();
    return endpoint.high() <= state.floor()
        && keys != null
        && keys.state() == TrustState.PENDING
        && keys.previous().isEmpty()
        && endpoint.held().approved().isEmpty()
        && isUndecided(endpoint);
  }

  private boolean isUndecided(MirroredEndpoint endpoint) {
    return store.history(endpoint.name(), StoreSlots.AUDIT, -1, MAX_RECORDS).stream()
        .allMatch(entry -> new String(entry.body(), StandardCharsets.UTF_8).contains(BY_MIRROR));
  }
}
