package dev.vigil.mirror.registration;

import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.BatchFactory;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.store.Store;
import java.time.Clock;
import java.util.List;

/** Bounds the number of endpoint names in a domain. */
public final class NameCapacity {
  private static final long FULL_SECONDS = 3600;

  private final Store store;
  private final MirrorState state;
  private final BatchFactory batches;
  private final Clock clock;

  public NameCapacity(Store store, MirrorState state, BatchFactory batches, Clock clock) {
    this.store = store;
    this.state = state;
    this.batches = batches;
    this.clock = clock;
  }

  /**
   * Makes sure that a domain can take one more name; removes an expired name if it is full. Of a
   * name with too many values for one batch, each new name removes a part. A name with an approval
   * in advance stays, because no message of others may end the approval.
   *
   * @throws RequestRefused 5.03 if the domain is full and no name has expired
   */
  void requireOne(Domain domain) {
    if (state.nameCount(domain.name()) < domain.limits().endpoints()) {
      return;
    }
    long now = clock.instant().getEpochSecond();
    MirroredEndpoint expired =
        state.all().stream()
            .filter(each -> each.name().d().equals(domain.name()) && !each.isLive(now))
            .filter(each -> each.held().approved().isEmpty())
            .findAny()
            .orElseThrow(
                () -> new RequestRefused(Reason.OVERLOADED, "the domain is full", FULL_SECONDS));
    store.submit(batches.removal(expired, List.of()));
  }
}
