package dev.vigil.gateway.alarms;

import dev.vigil.border.link.RadioStatus;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.gateway.northbound.DeliveryStatus;
import dev.vigil.gateway.store.DataFolder;
import dev.vigil.gateway.store.StoreHealth;
import dev.vigil.gateway.store.StoreStatistics;
import dev.vigil.gateway.tls.ServerCertificate;
import java.io.File;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** The state of this process and its machine. */
final class SystemGatewayState implements GatewayState {
  private static final double SECONDS_PER_DAY = 86_400;

  private final BridgeLifecycle network;
  private final StoreView store;
  private final DeliveryStatus deliveries;
  private final ServerCertificate certificate;
  private final Clock clock;
  private final LongSupplier nanoTime;

  /** Wall clock minus monotonic time at the last call, in milliseconds. */
  private long offset;

  /** The store as far as the rules look at it. */
  record StoreView(StoreHealth health, StoreStatistics statistics, DataFolder folder) {}

  SystemGatewayState(
      BridgeLifecycle network,
      StoreView store,
      DeliveryStatus deliveries,
      ServerCertificate certificate,
      Clock clock,
      LongSupplier nanoTime) {
    this.network = network;
    this.store = store;
    this.deliveries = deliveries;
    this.certificate = certificate;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.offset = offset();
  }

  @Override
  public Map<String, Boolean> radios() {
    Map<String, Boolean> radios = new TreeMap<>();
    network
        .bridge()
        .ifPresent(
            bridge -> {
              for (RadioStatus radio : bridge.radios()) {
                radios.put(radio.name(), radio.up());
              }
            });
    return radios;
  }

  @Override
  public Map<String, Boolean> destinations() {
    return deliveries.failing();
  }

  @Override
  public boolean storeFails() {
    return store.health.isFailing();
  }

  @Override
  public int waitingBatches() {
    return store.statistics.waiting();
  }

  @Override
  public OptionalDouble freePercent() {
    File folder = store.folder.path().toFile();
    long total = folder.getTotalSpace();
    return total == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(100.0 * folder.getUsableSpace() / total);
  }

  @Override
  public OptionalDouble certificateDays() {
    return certificate
        .expires()
        .map(end -> Duration.between(clock.instant(), end).toSeconds() / SECONDS_PER_DAY)
        .map(OptionalDouble::of)
        .orElseGet(OptionalDouble::empty);
  }

  private long offset() {
    return clock.millis() - nanoTime.getAsLong() / 1_000_000;
  }

  @Override
  public double clockJumpSeconds() {
    long now = offset();
    double jump = Math.abs(now - offset) / 1000.0;
    offset = now;
    return jump;
  }
}
