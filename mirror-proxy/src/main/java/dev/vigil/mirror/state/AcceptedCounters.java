package dev.vigil.mirror.state;

import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts accepted requests by kind. Safe for use by any number of threads. */
public final class AcceptedCounters {
  private final LongAdder[] counts =
      Stream.generate(LongAdder::new).limit(Accepted.values().length).toArray(LongAdder[]::new);

  public void count(Accepted kind) {
    counts[kind.ordinal()].increment();
  }

  public long of(Accepted kind) {
    return counts[kind.ordinal()].sum();
  }
}
