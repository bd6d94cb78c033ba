package dev.vigil.gateway.aggregates;

import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.mirror.model.Domain;
import dev.vigil.store.EndpointName;
import dev.vigil.store.OlderFacts;
import dev.vigil.store.OlderFacts.Removed;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps older signed values within their ages and within their share of the disk. One thread
 * enforces the limits; any thread may read the figures.
 */
final class ValueLimits {
  private static final Logger log = LoggerFactory.getLogger(ValueLimits.class);

  /** Transactions of one call, so that the store's other work goes on in between. */
  private static final int MAX_ROUNDS = 500;

  /** Transactions of one call that find nothing to delete; the next call looks further. */
  private static final int MAX_IDLE_ROUNDS = 16;

  private final OlderFacts older;
  private final AggregateStore aggregates;
  private final HistoryProperties settings;
  private final Map<String, Domain> domains;
  private final Clock clock;
  private final LongSupplier usable;
  private volatile boolean exceeded;
  private volatile long octets;
  private volatile long expired;
  private volatile long removedEarly;

  /**
   * @param domains by name; the map changes with the settings
   * @param usable octets that the disk has left
   */
  ValueLimits(
      OlderFacts older,
      AggregateStore aggregates,
      HistoryProperties settings,
      Map<String, Domain> domains,
      Clock clock,
      LongSupplier usable) {
    this.older = older;
    this.aggregates = aggregates;
    this.settings = settings;
    this.domains = domains;
    this.clock = clock;
    this.usable = usable;
  }

  /** Deletes a part of what exceeds the limits; called once a minute. */
  void enforce() {
    Instant now = clock.instant();
    boolean complete = false;
    int idle = 0;
    for (int round = 0; round < MAX_ROUNDS && idle < MAX_IDLE_ROUNDS && !complete; round++) {
      Removed removed = older.expire(name -> oldest(now, name)).join();
      expired += removed.facts();
      idle += removed.facts() == 0 ? 1 : 0;
      complete = removed.complete();
    }
    octets = older.octets();
    boolean exceeds = exceeds();
    if (exceeds && !exceeded) {
      log.warn(
          "older signed values take more than {} % of the disk: the oldest ones of the endpoints"
              + " with most of them are deleted early",
          settings.valuesDiskShare());
    }
    exceeded = exceeds;
    boolean empty = false;
    for (int round = 0; round < MAX_ROUNDS && !empty && exceeds(); round++) {
      Removed removed = older.shrink().join();
      removedEarly += removed.facts();
      empty = removed.complete();
      octets = older.octets();
    }
  }

  private Instant oldest(Instant now, EndpointName name) {
    Domain domain = domains.get(name.d());
    Duration own = domain == null ? Duration.ZERO : domain.limits().historyAge();
    return now.minus(own.isPositive() ? own : settings.values());
  }

  private boolean exceeds() {
    return octets > settings.maxValueOctets(aggregates.usedOctets(), usable.getAsLong());
  }

  /** Whether older values exceeded their share of the disk at the last check. */
  boolean isExceeded() {
    return exceeded;
  }

  /** The octets of older values at the last time. */
  long octets() {
    return octets;
  }

  /** The number of values that were deleted because of their age. */
  long expired() {
    return expired;
  }

  /** The number of values that were deleted because of their share of the disk. */
  long removedEarly() {
    return removedEarly;
  }
}
