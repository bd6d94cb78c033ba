package dev.vigil.coap.log;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.californium.elements.util.ClockUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A logger for lines that strangers can cause. For each text it writes {@value #BURST} lines at
 * once and one more every {@value #PERIOD_SECONDS} seconds. Before the next line it reports how
 * many lines were omitted. Safe for use by any number of threads.
 */
public final class RateLimitedLog {
  /** Number of lines of one text that may be written at once. */
  static final int BURST = 5;

  static final int PERIOD_SECONDS = 60;

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(PERIOD_SECONDS);

  private final Logger logger;
  private final LongSupplier nanoTime;

  /** Keyed by text; texts are literals in the code. Guarded by this object's lock. */
  private final Map<String, Budget> budgets = new HashMap<>();

  private static final class Budget {
    /** The time until which the written lines use up the rate, in monotonic nanoseconds. */
    long paidUntil;

    long omitted;

    Budget(long now) {
      this.paidUntil = now;
    }
  }

  /**
   * @param nanoTime monotonic nanoseconds
   */
  public RateLimitedLog(Logger logger, LongSupplier nanoTime) {
    this.logger = logger;
    this.nanoTime = nanoTime;
  }

  /** The log of a class, with the monotonic clock that stamps datagrams. */
  public static RateLimitedLog of(Class<?> owner) {
    return new RateLimitedLog(LoggerFactory.getLogger(owner), ClockUtil::nanoRealtime);
  }

  /**
   * @param text a literal with placeholders, by which lines are counted
   * @param arguments of the placeholders; a throwable at the end is written with its trace
   */
  public void warn(String text, Object... arguments) {
    write(Level.WARN, text, arguments);
  }

  /**
   * @param text a literal with placeholders, by which lines are counted
   * @param arguments of the placeholders; a throwable at the end is written with its trace
   */
  public void error(String text, Object... arguments) {
    write(Level.ERROR, text, arguments);
  }

  private void write(Level level, String text, Object... arguments) {
    long omitted = admit(text);
    if (omitted < 0) {
      return;
    }
    if (omitted > 0) {
      logger.atLevel(level).log("omitted {} lines like the next one", omitted);
    }
    logger.atLevel(level).log(text, Arrays.copyOf(arguments, arguments.length));
  }

  /**
   * @return the number of lines that were omitted since the last written one; -1 to omit this one
   */
  private synchronized long admit(String text) {
    long now = nanoTime.getAsLong();
    Budget budget = budgets.computeIfAbsent(text, any -> new Budget(now));
    if (budget.paidUntil - now > (BURST - 1) * PERIOD_NANOS) {
      budget.omitted++;
      return -1;
    }
    budget.paidUntil = Math.max(budget.paidUntil - now, 0) + now + PERIOD_NANOS;
    long omitted = budget.omitted;
    budget.omitted = 0;
    return omitted;
  }
}
