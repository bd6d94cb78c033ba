package dev.vigil.mirror.state;

import dev.vigil.mirror.limits.AbuseLimits;
import dev.vigil.mirror.limits.WaitingCapacity;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import java.time.Clock;

/**
 * The collaborators that the features of one mirror share.
 *
 * @param state the projection of the store's feed
 */
public record MirrorContext(
    MirrorState state,
    UnprovenRegistrations unprovenRegistrations,
    EndpointSources sources,
    MirrorCommit commits,
    BatchFactory batches,
    AbuseLimits abuseLimits,
    WaitingCapacity waiting,
    VerificationMeter signatures,
    AcceptedCounters accepted,
    Clock clock) {
  /** Unix time in seconds. */
  public long now() {
    return clock.instant().getEpochSecond();
  }

  /**
   * @throws RequestRefused 4.04
   */
  public MirroredEndpoint require(String id) {
    MirroredEndpoint endpoint = state.byId(id);
    if (endpoint == null) {
      throw new RequestRefused(Reason.NO_ENTRY, "no such endpoint");
    }
    return endpoint;
  }

  /**
   * The present state of an endpoint, for the batch of a request that was judged before. An
   * operator may have given the name to another device in between.
   */
  public MirroredEndpoint requireSameKey(ProvenTarget judged) {
    MirroredEndpoint endpoint = require(judged.id());
    KeyHistory keys = endpoint.keys();
    if (keys == null
        || !keys.jkt().equals(judged.keys().jkt())
        || keys.state() != judged.keys().state()) {
      throw new RequestRefused(
          Reason.NOT_TRUSTED, "the endpoint's key has changed in the meantime");
    }
    return endpoint;
  }
}
