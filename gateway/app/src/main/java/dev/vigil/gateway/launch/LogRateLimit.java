package dev.vigil.gateway.launch;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.vigil.gateway.launch.EventCodes.Line;
import dev.vigil.gateway.time.SystemTime;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Limits warnings and errors by the id of their event: strangers can cause some of them, and must
 * not fill the disk. After omitted lines, the next line reports their number. Any thread; a count
 * is guarded by its monitor.
 */
public final class LogRateLimit extends TurboFilter {
  /** Lines of one event in a minute. */
  static final int LINES = 30;

  private static final long MINUTE_NANOS = 60_000_000_000L;

  /** A text without an id is its own event; libraries have a few hundred such texts at most. */
  private static final int MAX_EVENTS = 4096;

  private static final String LEFT_OUT = "left out {} more lines of the event {} within a minute";

  private final Map<Line, String> ids = EventCodes.read();
  private final Map<String, Count> counts = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  /** Made by Logback. */
  public LogRateLimit() {
    this(SystemTime.NANO_TIME);
  }

  LogRateLimit(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Lines of one event since a minute began. */
  private static final class Count {
    private long began;
    private int lines;
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] parameters,
      @Nullable Throwable thrown) {
    if (format == null
        || format.equals(LEFT_OUT)
        || !level.isGreaterOrEqual(Level.WARN)
        || !level.isGreaterOrEqual(logger.getEffectiveLevel())) {
      return FilterReply.NEUTRAL;
    }
    String name = logger.getName();
    Line line = new Line(name.substring(name.lastIndexOf('.') + 1), format);
    String event = ids.getOrDefault(line, line.logger());
    if (counts.size() >= MAX_EVENTS) {
      counts.clear();
    }
    return permit(logger, event) ? FilterReply.NEUTRAL : FilterReply.DENY;
  }

  private boolean permit(Logger logger, String event) {
    Count count = counts.computeIfAbsent(event, key -> new Count());
    long now = nanoTime.getAsLong();
    int leftOut = 0;
    boolean permitted;
    synchronized (count) {
      if (count.lines == 0 || now - count.began >= MINUTE_NANOS) {
        leftOut = Math.max(0, count.lines - LINES);
        count.began = now;
        count.lines = 0;
      }
      count.lines++;
      permitted = count.lines <= LINES;
    }
    if (leftOut > 0) {
      logger.warn(LEFT_OUT, leftOut, event);
    }
    return permitted;
  }
}
