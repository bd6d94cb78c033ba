package dev.vigil.gateway.clock;

import dev.vigil.gateway.store.StoreStatistics;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** Watches the machine's clock, on which lifetimes, freshness and certificates depend. */
@Component
public class ClockWatch implements DisposableBean {
  private static final Logger log = LoggerFactory.getLogger(ClockWatch.class);
  private static final long SECONDS = 10;

  private final ClockMonitor monitor;
  private final Supplier<Synchronisation> kernel;
  private volatile Synchronisation synchronisation = Synchronisation.UNKNOWN;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("clock-watch").factory());

  @Autowired
  ClockWatch(Clock clock, LongSupplier nanoTime, StoreStatistics store) {
    this(clock, nanoTime, store, KernelClock::read);
  }

  ClockWatch(
      Clock clock, LongSupplier nanoTime, StoreStatistics store, Supplier<Synchronisation> kernel) {
    this.kernel = kernel;
    this.monitor = new ClockMonitor(clock, nanoTime, store.newestTime().orElse(null));
    ClockState state = monitor.state();
    if (state.isBehind()) {
      log.warn(
          "the clock is {} s behind the newest stored time: set it (is NTP running?)",
          state.behindStore().toSeconds());
    }
    timer.scheduleWithFixedDelay(this::check, SECONDS, SECONDS, TimeUnit.SECONDS);
  }

  void check() {
    Synchronisation former = synchronisation;
    synchronisation = kernel.get();
    if (former == Synchronisation.KEPT && synchronisation == Synchronisation.LOST) {
      log.warn("NTP no longer synchronises the clock: check the machine's NTP service");
    } else if (former == Synchronisation.LOST && synchronisation == Synchronisation.KEPT) {
      log.info("NTP synchronises the clock again");
    }
    Duration jump = monitor.check();
    if (!jump.isZero()) {
      log.warn(
          "the clock jumped {} s {}: lifetimes and freshness depend on it",
          jump.abs().toSeconds(),
          jump.isNegative() ? "back" : "ahead, or the machine slept");
    }
  }

  /** The clock as it is now. */
  public ClockState state() {
    return monitor.state();
  }

  /** Whether NTP synchronised the clock at the last check. */
  public Synchronisation synchronisation() {
    return synchronisation;
  }

  @Override
  public void destroy() {
    timer.shutdownNow();
  }
}
