package dev.vigil.mirror.registration;

import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.state.BatchFactory;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.mirror.state.NeverTrustedNames;
import dev.vigil.store.Store;
import java.time.Clock;

/**
 * Removes names whose registration expired before their key was ever trusted. A name that was ever
 * trusted stays with its H, so that nothing can be replayed. A name about which an operator has
 * decided stays as well.
 */
public final class ExpiredNames {
  private static final long PERIOD_SECONDS = 60;

  /** How long an expired registration waits for its endpoint or an operator. */
  private static final long GRACE_SECONDS = 3600;

  private static final int MAX_AT_ONCE = 1000;

  private final Store store;
  private final MirrorState state;
  private final BatchFactory batches;
  private final NeverTrustedNames neverTrusted;
  private final Clock clock;

  /** Unix time in seconds; used by the calling thread only. */
  private long next;

  public ExpiredNames(Store store, MirrorState state, BatchFactory batches, Clock clock) {
    this.store = store;
    this.state = state;
    this.batches = batches;
    this.neverTrusted = new NeverTrustedNames(store, state);
    this.clock = clock;
  }

  /** Runs once a minute. One thread must call this about every second. */
  public void forget() {
    long now = clock.instant().getEpochSecond();
    if (now < next && next <= now + PERIOD_SECONDS) {
      return;
    }
    next = now + PERIOD_SECONDS;
    state.all().stream()
        .filter(endpoint -> isForgettable(endpoint, now))
        .limit(MAX_AT_ONCE)
        .toList()
        .forEach(endpoint -> store.submit(batches.forgetting(endpoint)));
  }

  private boolean isForgettable(MirroredEndpoint endpoint, long now) {
    Lease lease = endpoint.lease();
    return lease != null
        && lease.expires() + GRACE_SECONDS <= now
        && neverTrusted.contains(endpoint);
  }
}
