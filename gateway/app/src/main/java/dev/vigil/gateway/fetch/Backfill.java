package dev.vigil.gateway.fetch;

import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.associations.AssociationLoader;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.MirrorEvent;
import dev.vigil.store.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Asks motes for readings that the mirror lacks because it was away. A mote is asked after an
 * update shows that it is awake again.
 */
@Component
class Backfill implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(Backfill.class);

  /** The delay after an update, in which the other readings of the same wake-up arrive. */
  private static final Duration AFTER_UPDATE = Duration.ofSeconds(1);

  private final GapFiller filler;
  private final MirrorQueries mirror;
  private final AssociationLoader associations;
  private final AtomicLong recovered = new AtomicLong();
  private final BackfillSchedule schedule = new BackfillSchedule();
  private volatile Set<Ipv6Address> blockStores = Set.of();
  private @Nullable ScheduledExecutorService worker;
  private Store.@Nullable Subscription subscription;

  Backfill(GapFiller filler, MirrorQueries mirror, AssociationLoader associations) {
    this.filler = filler;
    this.mirror = mirror;
    this.associations = associations;
    associations.addListener(this::readBlockStores);
  }

  private void readBlockStores() {
    blockStores =
        StoredReadings.stores(associations.statuses())
            .map(BlockStoreId::mote)
            .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public synchronized void start() {
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("backfill").factory());
    worker = started;
    subscription = mirror.follow(mirror.position(), event -> heard(event, started));
  }

  /** Runs on the store's thread. */
  private void heard(MirrorEvent event, ScheduledExecutorService executor) {
    if (event.kind() == MirrorEvent.Kind.WITHDRAWN) {
      schedule.forget(event.id());
      executor.execute(() -> filler.forget(event.id()));
    } else if (event.kind() == MirrorEvent.Kind.UPDATED
        && !blockStores.isEmpty()
        && schedule.heard(event.id(), event.at())) {
      executor.schedule(() -> ask(event, executor), AFTER_UPDATE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void ask(MirrorEvent event, ScheduledExecutorService executor) {
    String id = event.id();
    Optional<Ipv6Address> mote = mote(mirror, id).filter(blockStores::contains);
    if (mote.isEmpty()) {
      schedule.succeeded(id);
      return;
    }
    try {
      GapFiller.Outcome outcome = filler.fill(id, mote.get());
      ErrorResponseException refusal = outcome.refusal();
      recovered.addAndGet(outcome.readings());
      if (outcome.readings() > 0 || outcome.gaps() > 0 && refusal == null) {
        log.info(
            "recovered {} readings of {} from its block store", outcome.readings(), event.ep());
      }
      if (!outcome.lost().isEmpty()) {
        log.warn("blocks {} in the block store of {} are damaged", outcome.lost(), event.ep());
      }
      if (refusal != null) {
        throw refusal;
      }
      if (outcome.more()) {
        // Queued behind the endpoints that wait.
        executor.execute(() -> ask(event, executor));
      } else {
        schedule.succeeded(id);
      }
    } catch (ErrorResponseException e) {
      if (schedule.failed(id)) {
        log.warn("readings of {} are missing, asking again later: {}", event.ep(), e.getMessage());
      }
    } catch (RuntimeException e) {
      schedule.failed(id);
      log.error("filling the history of {} failed", event.ep(), e);
    }
  }

  /** The number of readings that were recovered since the start. */
  long recovered() {
    return recovered.get();
  }

  /**
   * The mote behind an endpoint. Only a message that came through an association with the mote
   * proves it: on other sockets anyone can forge a source address.
   */
  static Optional<Ipv6Address> mote(MirrorQueries mirror, String id) {
    return mirror.associatedAddress(id).map(source -> new Ipv6Address(source.high(), source.low()));
  }

  @Override
  public synchronized void stop() {
    if (subscription != null) {
      subscription.close();
      subscription = null;
    }
    if (worker != null) {
      worker.shutdownNow();
      worker = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return worker != null;
  }
}
