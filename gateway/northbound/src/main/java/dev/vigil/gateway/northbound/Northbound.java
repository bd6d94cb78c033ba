package dev.vigil.gateway.northbound;

import dev.vigil.gateway.cluster.Duty;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * All destinations of the settings, each with its own thread while the gateway runs. One gateway of
 * a cluster delivers.
 */
@Component
class Northbound implements SmartLifecycle, Duty, DeliveryStatus {
  private static final String KIND = "northbound-cursor";

  private final List<Delivery> deliveries = new ArrayList<>();
  private final MirrorQueries mirror;
  private volatile boolean running;

  private record Delivery(FeedCursor cursor, DeliveryLoop loop, Thread thread) {}

  Northbound(
      List<DestinationSource> sources,
      Store store,
      Records records,
      MirrorQueries mirror,
      Clock clock,
      LongSupplier nanoTime,
      SecureRandom random) {
    this.mirror = mirror;
    RecordSet<StoredCursor> cursors = records.of(KIND, StoredCursor.class);
    for (DestinationSource source : sources) {
      for (Destination destination : source.all()) {
        FeedCursor cursor = new FeedCursor(destination, store, cursors, nanoTime);
        DeliveryLoop loop = new DeliveryLoop(destination, cursor, clock, random);
        deliveries.add(
            new Delivery(cursor, loop, Thread.ofVirtual().name("northbound").unstarted(loop)));
      }
    }
  }

  @Override
  public void start() {
    running = true;
    deliveries.forEach(delivery -> delivery.thread.start());
  }

  /** Starts before the duties and stops after them. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }

  @Override
  public void begin() {
    deliveries.forEach(delivery -> delivery.cursor.open(mirror.position()));
  }

  @Override
  public void end() {
    deliveries.forEach(delivery -> delivery.loop.suspend());
  }

  @Override
  public void stop() {
    running = false;
    deliveries.forEach(delivery -> delivery.loop.stop(delivery.thread));
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  List<DeliveryLoop> all() {
    return deliveries.stream().map(Delivery::loop).toList();
  }

  @Override
  public Map<String, Boolean> failing() {
    Map<String, Boolean> failing = new TreeMap<>();
    all().forEach(loop -> failing.put(loop.name(), loop.state().error() != null));
    return failing;
  }
}
