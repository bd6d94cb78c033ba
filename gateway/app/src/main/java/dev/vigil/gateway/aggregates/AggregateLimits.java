package dev.vigil.gateway.aggregates;

import dev.vigil.gateway.store.AggregateStore;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the aggregates within their ages and the database within its share of the disk. */
final class AggregateLimits {
  private static final Logger log = LoggerFactory.getLogger(AggregateLimits.class);

  /** Transactions of one call, so that the store's other work goes on in between. */
  private static final int MAX_ROUNDS = 20;

  private final AggregateStore aggregates;
  private final HistoryProperties settings;
  private final Clock clock;
  private final LongSupplier usable;
  private boolean exceeded;

  /**
   * @param usable octets that the disk has left
   */
  AggregateLimits(
      AggregateStore aggregates, HistoryProperties settings, Clock clock, LongSupplier usable) {
    this.aggregates = aggregates;
    this.settings = settings;
    this.clock = clock;
    this.usable = usable;
  }

  /** Deletes a part of what exceeds the limits; called once a minute. */
  void enforce() {
    long now = clock.instant().getEpochSecond();
    long minutesFrom = now - settings.minutes().toSeconds();
    long hoursFrom = now - settings.hours().toSeconds();
    int rounds = 0;
    while (rounds < MAX_ROUNDS && aggregates.expire(minutesFrom, hoursFrom).join() > 0) {
      rounds++;
    }
    boolean exceeds = exceeds();
    if (exceeds && !exceeded) {
      log.warn(
          "the database takes more than {} % of the disk: the oldest minutes of the endpoints with"
              + " most of them are deleted early",
          settings.diskShare());
    }
    exceeded = exceeds;
    rounds = 0;
    while (rounds < MAX_ROUNDS && exceeds() && aggregates.shrink().join() > 0) {
      rounds++;
    }
  }

  private boolean exceeds() {
    long used = aggregates.usedOctets();
    return used > settings.maxOctets(used, usable.getAsLong());
  }
}
