package dev.vigil.mirror.refusal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts refused requests by reason and endpoint. Safe for use by any number of threads. */
public final class RefusalCounters {
  /** Beyond this number of counters, further endpoints share one counter for each reason. */
  private static final int MAX_COUNTERS = 10_000;

  private final Map<Key, LongAdder> counters = new ConcurrentHashMap<>();

  /** By {@link Reason}, for all endpoints together. */
  private final LongAdder[] totals =
      Stream.generate(LongAdder::new).limit(Reason.values().length).toArray(LongAdder[]::new);

  private record Key(Reason reason, String id) {}

  /**
   * @param id of an existing endpoint; empty if there is none
   */
  void count(Reason reason, String id) {
    Key key = new Key(reason, id);
    LongAdder counter = counters.get(key);
    if (counter == null) {
      Key counted = counters.size() < MAX_COUNTERS ? key : new Key(reason, "");
      counter = counters.computeIfAbsent(counted, k -> new LongAdder());
    }
    counter.increment();
    totals[reason.ordinal()].increment();
  }

  /** Forgets the counters of an endpoint that was removed; the totals remain. */
  public void forget(String id) {
    for (Reason reason : Reason.values()) {
      counters.remove(new Key(reason, id));
    }
  }

  /** The number of requests refused for a reason. */
  public long total(Reason reason) {
    return totals[reason.ordinal()].sum();
  }

  /** The counters of one endpoint, in the order of {@link Reason}. */
  public List<RefusalCount> of(String id) {
    List<RefusalCount> counts = new ArrayList<>();
    for (Reason reason : Reason.values()) {
      LongAdder counter = counters.get(new Key(reason, id));
      if (counter != null) {
        counts.add(new RefusalCount(reason, id, counter.sum()));
      }
    }
    return counts;
  }

  /** All counters, ordered by endpoint id and reason. */
  public List<RefusalCount> all() {
    return counters.entrySet().stream()
        .map(e -> new RefusalCount(e.getKey().reason(), e.getKey().id(), e.getValue().sum()))
        .sorted(Comparator.comparing(RefusalCount::id).thenComparing(RefusalCount::reason))
        .toList();
  }
}
