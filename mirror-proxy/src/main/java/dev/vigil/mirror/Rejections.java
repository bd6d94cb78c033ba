package dev.vigil.mirror;

import dev.vigil.mirror.wire.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often something was refused, by reason and endpoint. */
final class Rejections {
  /** Beyond this many, refusals are counted by reason alone. */
  private static final int MAX_COUNTERS = 10_000;

  private final Map<Key, LongAdder> counters = new ConcurrentHashMap<>();

  private record Key(Reason reason, String id) {}

  /**
   * @param id of an endpoint that exists; empty when there is none
   */
  void count(Reason reason, String id) {
    Key key = new Key(reason, id);
    LongAdder counter = counters.get(key);
    if (counter == null) {
      Key room = counters.size() < MAX_COUNTERS ? key : new Key(reason, "");
      counter = counters.computeIfAbsent(room, k -> new LongAdder());
    }
    counter.increment();
  }

  /** Those of one endpoint. */
  List<RejectionCount> of(String id) {
    List<RejectionCount> counts = new ArrayList<>();
    for (Reason reason : Reason.values()) {
      LongAdder counter = counters.get(new Key(reason, id));
      if (counter != null) {
        counts.add(new RejectionCount(reason, id, counter.sum()));
      }
    }
    return counts;
  }

  List<RejectionCount> all() {
    return counters.entrySet().stream()
        .map(e -> new RejectionCount(e.getKey().reason(), e.getKey().id(), e.getValue().sum()))
        .sorted(Comparator.comparing(RejectionCount::id).thenComparing(RejectionCount::reason))
        .toList();
  }
}
