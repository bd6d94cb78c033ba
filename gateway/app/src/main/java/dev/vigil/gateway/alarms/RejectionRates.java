package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.conditions.RuleScope;
import dev.vigil.gateway.alarms.conditions.Subject;
import dev.vigil.gateway.alarms.kinds.HighRejectionRate;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.refusal.RefusalCount;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The number of requests that the mirror refused in the last minute. Used by one thread. */
@Component
final class RejectionRates implements HighRejectionRate.Source {
  private static final long WINDOW_NANOS = 60_000_000_000L;

  private final MirrorQueries mirror;
  private final TaggedEndpoints tagged;
  private final LongSupplier nanoTime;

  /** Whether a rule has read the rates since the last sample; unread rates are not computed. */
  private boolean read;

  /**
   * Refused requests by endpoint id, including the empty id, at the start of the window; null:
   * nobody reads the rates.
   */
  private @Nullable Map<String, Long> before;

  /** Rates by endpoint id. */
  private Map<String, Double> rates = Map.of();

  private double total;
  private long from;

  RejectionRates(MirrorQueries mirror, TaggedEndpoints tagged, LongSupplier nanoTime) {
    this.mirror = mirror;
    this.tagged = tagged;
    this.nanoTime = nanoTime;
  }

  /** Computes new rates at the end of each window. */
  @Override
  public void sample() {
    long now = nanoTime.getAsLong();
    Map<String, Long> last = before;
    if (!read) {
      before = null;
      rates = Map.of();
      total = 0;
    } else if (last == null) {
      before = counts();
      from = now;
    } else if (now - from >= WINDOW_NANOS) {
      compute(last, counts(), now - from);
      from = now;
    }
    read = false;
  }

  private Map<String, Long> counts() {
    Map<String, Long> counts = new HashMap<>();
    for (RefusalCount count : mirror.refusals()) {
      counts.merge(count.id(), count.count(), Long::sum);
    }
    return counts;
  }

  private void compute(Map<String, Long> last, Map<String, Long> now, long elapsed) {
    Map<String, Double> next = new HashMap<>();
    double all = 0;
    for (Map.Entry<String, Long> count : now.entrySet()) {
      long more = count.getValue() - last.getOrDefault(count.getKey(), 0L);
      double rate = more * (double) WINDOW_NANOS / elapsed;
      all += rate;
      next.put(count.getKey(), rate);
    }
    rates = next;
    total = all;
    before = now;
  }

  @Override
  public Map<Subject, Double> byEndpoint(RuleScope scope) {
    read = true;
    Map<Subject, Double> inScope = new HashMap<>();
    rates.forEach(
        (id, rate) ->
            mirror
                .presence(id)
                .filter(one -> scope.fits(one.d(), one.ep(), tagged.of(id)))
                .ifPresent(one -> inScope.put(new Subject(one.d(), one.ep(), null, null), rate)));
    return inScope;
  }

  @Override
  public double total() {
    read = true;
    return total;
  }
}
