package dev.vigil.mirror.trust;

import dev.vigil.mirror.limits.WaitingCapacity;
import dev.vigil.mirror.model.HeldKey;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.keys.KeyArrival;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalMapper;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.MirrorContext;
import dev.vigil.mirror.state.NeverTrustedNames;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the places of waiting keys in step with the mirror's state, and removes from the store the
 * keys that lost their places.
 */
public final class WaitingKeys {
  private static final Logger log = LoggerFactory.getLogger(WaitingKeys.class);

  private final MirrorContext context;
  private final NeverTrustedNames neverTrusted;

  /**
   * False until the stored changes are applied; before that, keys whose decision comes later in the
   * feed still appear to wait.
   */
  private volatile boolean started;

  public WaitingKeys(MirrorContext context, NeverTrustedNames neverTrusted) {
    this.context = context;
    this.neverTrusted = neverTrusted;
  }

  /**
   * Gives the stored keys their places, starting with the key that has waited longest. If there are
   * fewer places than before, the remaining keys are removed.
   */
  public void start() {
    started = true;
    List<MirroredEndpoint> endpoints =
        context.state().all().stream()
            .filter(WaitingKeys::hasWaiting)
            .sorted(Comparator.comparingLong(WaitingKeys::firstArrival))
            .toList();
    endpoints.forEach(endpoint -> context.waiting().follow(endpoint.name(), endpoint));
    removeDisplaced();
  }

  private static boolean hasWaiting(MirroredEndpoint endpoint) {
    KeyHistory keys = endpoint.keys();
    return !endpoint.held().keys().isEmpty() || keys != null && keys.state() == TrustState.PENDING;
  }

  /** Unix time in seconds. */
  private static long firstArrival(MirroredEndpoint endpoint) {
    KeyHistory keys = endpoint.keys();
    KeyArrival own = keys == null ? null : keys.arrival();
    if (own != null) {
      return own.at();
    }
    return endpoint.held().keys().stream()
        .map(HeldKey::arrival)
        .mapToLong(KeyArrival::at)
        .min()
        .orElse(0);
  }

  /** Processes a change that the mirror's state has applied. */
  public void apply(Change change) {
    if (started
        && (change.isAbout(StoreSlots.KEY)
            || change.isAbout(StoreSlots.HELD)
            || change.isAbout(StoreSlots.LEASE))) {
      context.waiting().follow(change.endpoint(), context.state().byName(change.endpoint()));
      removeDisplaced();
    }
  }

  /** Removes the keys that lost their places; must also be called about every second. */
  public void removeDisplaced() {
    context.waiting().takeDisplaced().forEach(this::remove);
  }

  private void remove(WaitingCapacity.Waiting waiting) {
    try {
      context
          .commits()
          .commit(() -> removal(waiting))
          .whenComplete(
              (change, thrown) -> {
                if (thrown != null) {
                  failed(waiting, RefusalMapper.refusal(thrown));
                }
              });
    } catch (RequestRefused refused) {
      failed(waiting, refused);
    }
  }

  private void failed(WaitingCapacity.Waiting waiting, RequestRefused refused) {
    if (refused.reason() != Reason.NO_ENTRY) {
      log.debug("cannot remove the waiting key {} now: {}", waiting.jkt(), refused.diagnostic());
      context.waiting().displaceAgain(waiting);
    }
  }

  /**
   * If only this key waited for the name, the name leaves nothing behind, not even audit records.
   * The key of a name with an approval in advance stays, because the approval would end with the
   * endpoint, and no message of others may end it.
   */
  private Batch removal(WaitingCapacity.Waiting waiting) {
    MirroredEndpoint endpoint = context.state().byName(waiting.name());
    if (endpoint == null
        || endpoint.hasKey(waiting.jkt()) && !endpoint.held().approved().isEmpty()) {
      throw waitsNoMore();
    }
    Batch departure = context.batches().departure(endpoint, waiting.jkt(), List.of());
    if (departure == null) {
      throw waitsNoMore();
    }
    return endpoint.held().isEmpty() && neverTrusted.contains(endpoint)
        ? context.batches().forgetting(endpoint)
        : departure;
  }

  private static RequestRefused waitsNoMore() {
    return new RequestRefused(Reason.NO_ENTRY, "the key is no longer waiting");
  }
}
