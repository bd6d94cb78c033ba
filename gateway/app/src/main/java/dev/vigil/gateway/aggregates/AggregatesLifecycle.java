package dev.vigil.gateway.aggregates;

import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Runs the thread {@code aggregates}. */
@Component
class AggregatesLifecycle implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(AggregatesLifecycle.class);
  private static final long ENFORCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final AggregateRecorder recorder;
  private final AggregateLimits limits;
  private final ValueLimits valueLimits;
  private final MirrorQueries mirror;
  private final LongSupplier nanoTime;
  private Store.@Nullable Subscription subscription;
  private @Nullable Thread thread;
  private volatile boolean stopped;

  AggregatesLifecycle(
      AggregateRecorder recorder,
      AggregateLimits limits,
      ValueLimits valueLimits,
      MirrorQueries mirror,
      LongSupplier nanoTime) {
    this.recorder = recorder;
    this.limits = limits;
    this.valueLimits = valueLimits;
    this.mirror = mirror;
    this.nanoTime = nanoTime;
  }

  @Override
  public synchronized void start() {
    stopped = false;
    subscription = recorder.follow(mirror.position());
    thread = Thread.ofPlatform().daemon().name("aggregates").start(this::run);
  }

  private void run() {
    long enforced = nanoTime.getAsLong();
    boolean failing = false;
    try {
      while (!stopped) {
        try {
          recorder.step();
          if (nanoTime.getAsLong() - enforced >= ENFORCE_NANOS) {
            enforced = nanoTime.getAsLong();
            valueLimits.enforce();
            limits.enforce();
          }
          failing = false;
        } catch (StoreException | CompletionException e) {
          if (!failing) {
            failing = true;
            log.warn("aggregates are not kept up to date; trying again: {}", e.getMessage());
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes what is pending, so that the next start need not read it again. */
  @Override
  public synchronized void stop() {
    if (subscription != null) {
      subscription.close();
      subscription = null;
    }
    Thread running = thread;
    thread = null;
    stopped = true;
    if (running != null) {
      recorder.wake();
      try {
        running.join();
        recorder.write();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}
