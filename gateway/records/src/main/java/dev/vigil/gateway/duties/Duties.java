package dev.vigil.gateway.duties;

import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.cluster.Duty;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.GatewayStore;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Begins all duties when this gateway gets the lease of its cluster, and ends them when it loses
 * the lease. A gateway without a cluster has them while it runs.
 */
@Component
public final class Duties implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(Duties.class);
  private static final long PERIOD_MILLIS = 250;
  private static final long END_SECONDS = 30;
  private static final long RELEASE_SECONDS = 2;

  private final List<Duty> duties;
  private final String gateway;
  private final @Nullable Membership membership;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("duties").daemon().factory());

  /** Written only by the thread {@code duties}. */
  private volatile boolean begun;

  private volatile boolean running;

  private record Membership(DutyLease lease, Gateways gateways) {}

  Duties(
      List<Duty> duties,
      ClusterProperties cluster,
      Records records,
      GatewayStore store,
      Clock clock,
      LongSupplier nanoTime) {
    this.duties = duties;
    this.gateway = cluster.isShared() ? cluster.gateway() : "";
    this.membership =
        cluster.isShared()
            ? new Membership(
                new DutyLease(
                    records.of("cluster-lease", DutyLease.Lease.class), gateway, nanoTime, thread),
                new Gateways(
                    records.of("cluster-gateway", Gateways.Beat.class),
                    gateway,
                    store::position,
                    clock,
                    nanoTime))
            : null;
  }

  /** Whether this gateway has the duties. */
  public boolean areHeld() {
    return begun;
  }

  /** The gateway that has the duties; empty if none has, or without a cluster. */
  public String holder() {
    return membership == null ? "" : membership.lease.holder();
  }

  /** Whether this gateway has the duties, or knows another one that has them and runs. */
  public boolean haveHolder() {
    return areHeld()
        || gateways().stream().anyMatch(one -> one.name().equals(holder()) && !one.isSilent());
  }

  /** Whether a gateway runs in the cluster, or has failed without leaving it. */
  public boolean isMember(String name) {
    return name.equals(gateway) || gateways().stream().anyMatch(one -> one.name().equals(name));
  }

  /** The gateways of the cluster; empty without one. */
  public List<ClusterGateway> gateways() {
    return membership == null ? List.of() : membership.gateways.all();
  }

  @Override
  public void start() {
    running = true;
    if (membership == null) {
      begin();
    } else {
      thread.scheduleWithFixedDelay(
          () -> step(membership), 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void step(Membership member) {
    DutyLease shared = member.lease;
    try {
      shared.step();
      member.gateways.step();
      if (shared.isHeld() && !begun) {
        log.info("this gateway, {}, has the duties of the cluster", gateway);
        begin();
      } else if (!shared.isHeld() && begun) {
        log.warn("this gateway, {}, no longer has the duties of the cluster", gateway);
        end();
      }
      if (begun) {
        member.gateways.forgetSilent();
      }
    } catch (RuntimeException e) {
      log.error("the duties of the cluster could not be begun or ended; trying again", e);
    }
  }

  private void begin() {
    begun = true;
    try {
      duties.forEach(Duty::begin);
    } catch (RuntimeException e) {
      end(); // The next step begins all of them again.
      throw e;
    }
  }

  private void end() {
    begun = false;
    duties.forEach(Duty::end);
  }

  @Override
  public void stop() {
    running = false;
    thread.shutdown();
    try {
      if (!thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        log.warn("the duties did not end in time");
      }
      if (begun) {
        end();
      }
      if (membership != null) {
        membership.gateways.leave();
        membership.lease.release().get(RELEASE_SECONDS, TimeUnit.SECONDS);
      }
    } catch (ExecutionException | TimeoutException e) {
      log.warn("the lease was not given back; another gateway takes it in some seconds");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
