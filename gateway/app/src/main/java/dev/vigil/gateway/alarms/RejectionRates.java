package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.Alarm.Subject;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.refusal.RefusalCount;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** How many requests the mirror refused in the last minute. Used by one thread. */
final class RejectionRates {
  private static final long WINDOW_NANOS = 60_000_000_000L;

  private final MirrorQueries mirror;
  private final LongSupplier nanoTime;

  /** Refused requests by endpoint id, the empty one included, at the start of the window. */
  private Map<String, Long> before = Map.of();

  private Map<Subject, Double> rates = Map.of();
  private double total;
  private long from;
  private boolean watched;

  RejectionRates(MirrorQueries mirror, LongSupplier nanoTime) {
    this.mirror = mirror;
    this.nanoTime = nanoTime;
  }

  /** Counting costs time only while a rule asks for it. */
  void watch(boolean isWatched) {
    if (isWatched && !watched) {
      before = counts();
      from = nanoTime.getAsLong();
    }
    watched = isWatched;
  }

  private Map<String, Long> counts() {
    Map<String, Long> counts = new HashMap<>();
    for (RefusalCount count : mirror.refusals()) {
      counts.merge(count.id(), count.count(), Long::sum);
    }
    return counts;
  }

  /** Computes new rates once a window is over. */
  void sample() {
    long elapsed = nanoTime.getAsLong() - from;
    if (!watched || elapsed < WINDOW_NANOS) {
      return;
    }
    Map<String, Long> now = counts();
    Map<Subject, Double> next = new HashMap<>();
    double all = 0;
    for (Map.Entry<String, Long> count : now.entrySet()) {
      long more = count.getValue() - before.getOrDefault(count.getKey(), 0L);
      double rate = more * (double) WINDOW_NANOS / elapsed;
      all += rate;
      if (!count.getKey().isEmpty()) {
        mirror
            .presence(count.getKey())
            .ifPresent(one -> next.put(new Subject(one.d(), one.ep(), null, null), rate));
      }
    }
    rates = next;
    total = all;
    before = now;
    from += elapsed;
  }

  /** Refused requests a minute of each endpoint. */
  Map<Subject, Double> byEndpoint() {
    return rates;
  }

  double total() {
    return total;
  }
}
