package dev.vigil.gateway.wiring;

import dev.vigil.gateway.cluster.RestartRequest;
import dev.vigil.gateway.store.jetstream.RepairLog;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The changes that the cluster's servers have lost and this gateway has stored again. A gateway
 * whose store cannot go on ends, because its next start repairs the cluster or says what is wrong.
 */
@Component
final class ClusterRepairs implements RepairLog, MeterBinder {
  private final RestartRequest restart;
  private volatile @Nullable Repaired repaired;

  ClusterRepairs(RestartRequest restart) {
    this.restart = restart;
  }

  /**
   * Does nothing: a store that is being opened repairs the stream, and an open store then reports
   * its end to {@link #ended}.
   */
  @Override
  public void lost(String reason) {}

  @Override
  public void ended(String reason) {
    restart.ask();
  }

  @Override
  public void repaired(Repaired counts) {
    Repaired before = repaired;
    repaired = before == null ? counts : before.plus(counts);
  }

  /** The repair of this start. */
  Optional<Repaired> repair() {
    return Optional.ofNullable(repaired);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("vigil.cluster.lost", this, c -> c.repair().map(Repaired::lost).orElse(0L))
        .description("changes that the servers had lost when this gateway started")
        .register(registry);
    Gauge.builder("vigil.cluster.restored", this, c -> c.repair().map(Repaired::stored).orElse(0L))
        .description("changes that this gateway has stored again when it started")
        .register(registry);
  }
}
