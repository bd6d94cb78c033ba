package dev.vigil.coap.exchange;

import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts the responses of a route by code. Safe for use by any number of threads. */
final class ResponseCounter {
  private final LongAdder[] counts =
      Stream.generate(LongAdder::new).limit(Code.values().length).toArray(LongAdder[]::new);

  void add(Code code) {
    counts[code.ordinal()].increment();
  }

  long count(Code code) {
    return counts[code.ordinal()].sum();
  }
}
