package dev.vigil.gateway.endpoints;

import dev.vigil.mirror.MirrorCounts;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.Census;
import dev.vigil.mirror.read.Freshness;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.state.Accepted;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Metrics of the mirror. Endpoints and keys are counted by state, never by name, because anyone who
 * registers can add names.
 */
@Component
class MirrorMetrics implements MeterBinder {
  /** Counting reads every endpoint; therefore one count serves all series of a scrape. */
  private static final long CENSUS_VALID_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The states of keys under which endpoints are registered; only former keys are replaced. */
  private static final List<TrustState> ENDPOINT_STATES =
      List.of(TrustState.UNPROVEN, TrustState.PENDING, TrustState.TRUSTED, TrustState.REVOKED);

  private final MirrorQueries mirror;
  private final MirrorCounts counts;
  private final LongSupplier nanoTime;

  // Guarded by this object's lock.
  private @Nullable Census census;
  private long countedAt;

  MirrorMetrics(MirrorQueries mirror, LongSupplier nanoTime) {
    this.mirror = mirror;
    this.counts = mirror.counts();
    this.nanoTime = nanoTime;
  }

  private synchronized Census census() {
    long now = nanoTime.getAsLong();
    Census known = census;
    if (known == null || now - countedAt > CENSUS_VALID_NANOS) {
      known = mirror.census();
      census = known;
      countedAt = now;
    }
    return known;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (Accepted kind : Accepted.values()) {
      FunctionCounter.builder("vigil.mirror.accepted", counts, c -> c.accepted(kind))
          .tags("kind", kind.label())
          .description("accepted updates, registrations and commands")
          .register(registry);
    }
    for (Reason reason : Reason.values()) {
      FunctionCounter.builder("vigil.mirror.rejected", counts, c -> c.refused(reason))
          .tags("reason", reason.label())
          .description("refused requests")
          .register(registry);
    }
    FunctionTimer.builder(
            "vigil.mirror.verification",
            counts,
            MirrorCounts::verifications,
            MirrorCounts::verificationNanos,
            TimeUnit.NANOSECONDS)
        .description("verified signatures, including invalid ones, and the time that they took")
        .register(registry);
    FunctionCounter.builder(
            "vigil.mirror.verified.together", counts, MirrorCounts::verificationsTogether)
        .description("signatures that were verified together with others")
        .register(registry);
    Gauge.builder(
            "vigil.mirror.verification.disagreed", counts, MirrorCounts::verificationDisagreements)
        .description("1 after the batch verifier and the provider judged a signature differently")
        .register(registry);
    Gauge.builder("vigil.mirror.waiting.places", counts, MirrorCounts::waitingPlaces)
        .description("places taken by keys that wait for a decision")
        .register(registry);
    bindCensus(registry);
  }

  private void bindCensus(MeterRegistry registry) {
    for (TrustState trust : ENDPOINT_STATES) {
      for (Freshness freshness : Freshness.values()) {
        Gauge.builder("vigil.mirror.endpoints", this, m -> m.census().endpoints(trust, freshness))
            .tags("trust", trust.label(), "freshness", freshness.label())
            .description("registered endpoints")
            .register(registry);
      }
    }
    for (TrustState state : TrustState.values()) {
      Gauge.builder("vigil.mirror.keys", this, m -> m.census().keys(state))
          .tags("state", state.label())
          .description("keys of endpoints, including former keys and keys that request a name")
          .register(registry);
    }
    Gauge.builder("vigil.mirror.keys.listed", this, m -> m.census().listed())
        .description("imported keys")
        .register(registry);
  }
}
