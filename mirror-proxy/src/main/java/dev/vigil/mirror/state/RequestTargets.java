package dev.vigil.mirror.state;

import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.keys.KeyHistory;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the target of a request by the id in its path. */
public final class RequestTargets {
  private final MirrorState state;
  private final UnprovenRegistrations unprovenRegistrations;
  private final Map<String, Domain> domains;
  private final Clock clock;

  public RequestTargets(
      MirrorState state,
      UnprovenRegistrations unprovenRegistrations,
      Map<String, Domain> domains,
      Clock clock) {
    this.state = state;
    this.unprovenRegistrations = unprovenRegistrations;
    this.domains = domains;
    this.clock = clock;
  }

  /** Null if there is no such endpoint or its registration has expired. */
  public @Nullable RequestTarget find(String id) {
    long now = clock.instant().getEpochSecond();
    MirroredEndpoint endpoint = state.byId(id);
    if (endpoint != null) {
      Domain domain = domains.get(endpoint.name().d());
      KeyHistory keys = endpoint.keys();
      Lease lease = endpoint.lease();
      return domain == null || keys == null || lease == null || !endpoint.isLive(now)
          ? null
          : new ProvenTarget(endpoint, domain, keys, lease);
    }
    UnprovenRegistration unproven = unprovenRegistrations.find(id, now);
    return unproven == null ? null : UnprovenTarget.of(unproven);
  }
}
