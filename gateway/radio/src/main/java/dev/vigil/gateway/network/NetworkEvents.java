package dev.vigil.gateway.network;

import dev.vigil.gateway.api.EventSource;
import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.gateway.associations.AssociationLoader;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Changes of the radio network and of associations as server-sent events. While a stream is open, a
 * thread takes a sample every second. Safe for use by any number of threads.
 */
@Component
class NetworkEvents implements EventSource, DisposableBean {
  private static final Logger log = LoggerFactory.getLogger(NetworkEvents.class);
  private static final long EVERY_MILLIS = 1_000;

  private final BridgeLifecycle network;
  private final NetworkViews views;
  private final AssociationLoader associations;
  private final MirrorQueries mirror;
  private final Clock clock;

  /** Guarded by this object, like all following fields. */
  private final NetworkSampler sampler = new NetworkSampler();

  private final SampleLog samples = new SampleLog(NetworkSampler.LISTS);
  private final List<Consumer<FeatureEvent>> followers = new ArrayList<>();
  private @Nullable ScheduledExecutorService timer;

  NetworkEvents(
      BridgeLifecycle network,
      NetworkViews views,
      AssociationLoader associations,
      MirrorQueries mirror,
      Clock clock) {
    this.network = network;
    this.views = views;
    this.associations = associations;
    this.mirror = mirror;
    this.clock = clock;
  }

  @Override
  public synchronized Store.Subscription follow(long after, Consumer<FeatureEvent> follower) {
    if (network.bridge().isEmpty()) {
      return () -> {};
    }
    sample();
    samples.since(after).forEach(follower);
    followers.add(follower);
    if (timer == null) {
      timer =
          Executors.newSingleThreadScheduledExecutor(
              Thread.ofPlatform().daemon().name("network-events").factory());
      timer.scheduleWithFixedDelay(
          this::trySample, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }
    return () -> leave(follower);
  }

  private synchronized void leave(Consumer<FeatureEvent> follower) {
    followers.remove(follower);
    if (followers.isEmpty()) {
      destroy();
    }
  }

  private void trySample() {
    try {
      sample();
    } catch (RuntimeException e) {
      // The timer would end with it.
      log.error("the network's state cannot be read for the event streams", e);
    }
  }

  private synchronized void sample() {
    long position = mirror.position();
    long now = clock.millis();
    List<SampledThing> things = new ArrayList<>();
    views.present().ifPresent(view -> things.addAll(sampler.network(view, now)));
    if (associations.file().isPresent()) {
      things.addAll(NetworkSampler.associations(associations.loaded(), associations.statuses()));
    }
    for (FeatureEvent event : samples.observe(things, position, now)) {
      followers.forEach(follower -> follower.accept(event));
    }
    samples.sent(mirror.position());
  }

  @Override
  public synchronized void destroy() {
    if (timer != null) {
      timer.shutdownNow();
      timer = null;
    }
  }
}
