package dev.vigil.gateway.coap;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the heap is nearly full of live objects. That is the case while more than four
 * fifths of the old generation are in use, and were in use after its last collection. While this
 * lasts, a collection is requested now and then, because dropped objects count as free only after a
 * collection.
 */
final class HeapPressure implements BooleanSupplier {
  /**
   * Above this share too little is left for young objects, and the collector runs nearly all the
   * time.
   */
  private static final double NEARLY_FULL = 0.8;

  private static final long COLLECTION_PAUSE_NANOS = 30_000_000_000L;
  private static final long MEASURING_PAUSE_NANOS = 200_000_000L;

  /**
   * Usage of the old generation.
   *
   * @param now usage with dead objects
   * @param live usage after the last collection; null before the first
   */
  record Usage(MemoryUsage now, @Nullable MemoryUsage live) {}

  private final Supplier<Usage> usage;
  private final Runnable collect;
  private final LongSupplier nanoTime;

  private volatile boolean scarce;
  private volatile long measuredAt;

  /** Guarded by this object's lock. */
  private long collectedAt;

  HeapPressure(Supplier<Usage> usage, Runnable collect, LongSupplier nanoTime) {
    this.usage = usage;
    this.collect = collect;
    this.nanoTime = nanoTime;
    this.measuredAt = nanoTime.getAsLong() - MEASURING_PAUSE_NANOS;
    this.collectedAt = nanoTime.getAsLong();
  }

  /**
   * The heap of this process. It is never under pressure if the collector does not report
   * generations.
   */
  static BooleanSupplier ofThisProcess(LongSupplier nanoTime) {
    Optional<MemoryPoolMXBean> old =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .filter(MemoryPoolMXBean::isCollectionUsageThresholdSupported)
            .filter(pool -> pool.getName().matches(".*(Tenured|Old).*"))
            .findFirst();
    return old.<BooleanSupplier>map(
            pool ->
                new HeapPressure(
                    () -> new Usage(pool.getUsage(), pool.getCollectionUsage()),
                    System::gc,
                    nanoTime))
        .orElse(() -> false);
  }

  @Override
  public boolean getAsBoolean() {
    if (nanoTime.getAsLong() - measuredAt >= MEASURING_PAUSE_NANOS) {
      measure();
    }
    return scarce;
  }

  private synchronized void measure() {
    long now = nanoTime.getAsLong();
    if (now - measuredAt < MEASURING_PAUSE_NANOS) {
      return;
    }
    measuredAt = now;
    boolean before = scarce;
    scarce = isNearlyFull();
    if (scarce && !before) {
      collectedAt = now;
    }
    if (scarce && now - collectedAt >= COLLECTION_PAUSE_NANOS) {
      collectedAt = now;
      collect.run();
      scarce = isNearlyFull();
    }
  }

  private boolean isNearlyFull() {
    Usage measured = usage.get();
    return measured.live() != null && isNearlyFull(measured.live()) && isNearlyFull(measured.now());
  }

  private static boolean isNearlyFull(MemoryUsage one) {
    return one.getMax() > 0 && one.getUsed() > NEARLY_FULL * one.getMax();
  }
}
