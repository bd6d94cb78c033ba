package dev.vigil.gateway.wiring;

import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.cluster.Duty;
import dev.vigil.gateway.cluster.SnapshotAge;
import dev.vigil.gateway.cluster.SnapshotProperties;
import dev.vigil.gateway.cluster.StreamStatus;
import dev.vigil.gateway.store.GatewayStore;
import dev.vigil.gateway.store.jetstream.JetStreamStore;
import dev.vigil.gateway.store.jetstream.snapshots.Snapshot;
import dev.vigil.gateway.store.jetstream.snapshots.Snapshots;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Lets the store make snapshots of the replica while this gateway has the duties of its cluster.
 */
@Component
final class ClusterSnapshots implements SmartLifecycle, Duty, StreamStatus, MeterBinder {
  private final GatewayStore store;
  private final SnapshotProperties settings;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final SnapshotAge age;
  private volatile @Nullable Snapshots snapshots;

  ClusterSnapshots(
      GatewayStore store, ClusterProperties cluster, Clock clock, LongSupplier nanoTime) {
    this.store = store;
    this.settings = cluster.snapshots();
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.age = new SnapshotAge(settings.every(), clock.instant());
  }

  @Override
  public void start() {
    if (store instanceof JetStreamStore shared) {
      snapshots =
          shared.snapshots(
              new Snapshots.Schedule(
                  settings.every(),
                  settings.messages(),
                  settings.keepMessages(),
                  settings.keepAge()),
              clock,
              nanoTime);
    }
  }

  /** Starts before the duties and stops after them. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }

  @Override
  public void begin() {
    Snapshots running = snapshots;
    if (running != null) {
      running.begin();
    }
  }

  @Override
  public void end() {
    Snapshots running = snapshots;
    if (running != null) {
      running.end();
    }
  }

  @Override
  public void stop() {
    Snapshots running = snapshots;
    snapshots = null;
    if (running != null) {
      running.close();
    }
  }

  @Override
  public boolean isRunning() {
    return snapshots != null;
  }

  @Override
  public Optional<Seen> seen() {
    Snapshots running = snapshots;
    if (running == null) {
      return Optional.empty();
    }
    Snapshots.Status status = running.status();
    Snapshot newest = status.newest();
    return Optional.of(
        new Seen(
            status.first(),
            newest == null ? null : new Newest(newest.position(), newest.at(), newest.octets())));
  }

  @Override
  public OptionalLong oldSnapshotSeconds() {
    return seen()
        .map(seen -> age.ifOld(seen, store.position(), clock.instant()))
        .orElseGet(OptionalLong::empty);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder(
            "vigil.cluster.stream.first", this, c -> c.seen().map(Seen::firstPosition).orElse(0L))
        .description("position of the oldest message in the stream")
        .register(registry);
    newest(registry, "position", null, "position of the newest snapshot", Newest::position);
    newest(registry, "size", "bytes", "octets of the newest snapshot's database", Newest::octets);
    newest(
        registry,
        "age",
        "seconds",
        "age of the newest snapshot",
        one -> Duration.between(one.at(), clock.instant()).toMillis() / 1000.0);
    Gauge.builder(
            "vigil.cluster.snapshot.old", this, c -> c.oldSnapshotSeconds().isPresent() ? 1 : 0)
        .description("1 while changes have waited too long for a snapshot")
        .register(registry);
    Gauge.builder("vigil.cluster.snapshot.failed", this, ClusterSnapshots::failed)
        .description("snapshots in a row that this gateway could not make")
        .register(registry);
  }

  private void newest(
      MeterRegistry registry,
      String name,
      @Nullable String unit,
      String description,
      ToDoubleFunction<Newest> value) {
    Gauge.builder("vigil.cluster.snapshot." + name, this, c -> c.newest(value))
        .baseUnit(unit)
        .description(description)
        .register(registry);
  }

  private double newest(ToDoubleFunction<Newest> value) {
    Newest newest = seen().map(Seen::snapshot).orElse(null);
    return newest == null ? Double.NaN : value.applyAsDouble(newest);
  }

  private double failed() {
    Snapshots running = snapshots;
    return running == null ? 0 : running.status().failed();
  }
}
