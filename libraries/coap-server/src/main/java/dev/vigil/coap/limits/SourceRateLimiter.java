package dev.vigil.coap.limits;

import dev.vigil.coap.limits.RateLimiter.Rate;
import java.time.Clock;
import java.util.Comparator;

/**
 * Limits the rate of events by source. Limits nest: a /64 network has four times the limit of an
 * address, and a /48 network has four times the limit of a /64. One address thus cannot use up the
 * limit of its network, and a site gains little from having many addresses. Safe for use by any
 * number of threads.
 */
public final class SourceRateLimiter {
  /** The scope of limits that share their counters. */
  public static final String ANY_SCOPE = "";

  /**
   * @param unverified whether the sender is unverified. Its events are not charged to a verified
   *     sender with the same address, because the address may be forged
   * @param scope limits of different scopes are counted separately
   */
  private record Key(SourcePrefix prefix, boolean unverified, String scope)
      implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::prefix).thenComparing(Key::unverified).thenComparing(Key::scope);

    static Key of(SourcePrefix prefix, Source source, String scope) {
      return new Key(prefix, source.standing() == Source.Standing.UNVERIFIED, scope);
    }

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  private final RateLimiter<Key> limiter;

  public SourceRateLimiter(Clock clock) {
    this.limiter = new RateLimiter<>(clock);
  }

  /** Whether the source and its networks may cause another event; counts nothing. */
  public boolean allows(Source source, String scope, Rate rate) {
    return secondsUntilAllowed(source, scope, rate) == 0;
  }

  /**
   * The time until the source and its networks may cause another event; counts nothing.
   *
   * @param rate of an address
   * @return seconds, rounded up; 0 if the source may cause one now
   */
  public long secondsUntilAllowed(Source source, String scope, Rate rate) {
    if (limiter.isIdle()) {
      return 0;
    }
    long seconds = 0;
    for (SourcePrefix prefix : source.prefixes()) {
      Rate shared = rate.times(prefix.addressesWorth());
      seconds =
          Math.max(seconds, limiter.secondsUntilAllowed(Key.of(prefix, source, scope), 1, shared));
    }
    return seconds;
  }

  /**
   * Counts events of the source, even if they exceed its limit.
   *
   * @param rate of an address
   */
  public void charge(Source source, String scope, double events, Rate rate) {
    for (SourcePrefix prefix : source.prefixes()) {
      limiter.charge(Key.of(prefix, source, scope), events, rate.times(prefix.addressesWorth()));
    }
  }

  /**
   * Counts one event if the source may cause it.
   *
   * @param rate of an address
   * @return 0 if it was counted; else the seconds until the source may try again
   */
  public long tryCharge(Source source, String scope, Rate rate) {
    long seconds = secondsUntilAllowed(source, scope, rate);
    if (seconds == 0) {
      charge(source, scope, 1, rate);
    }
    return seconds;
  }
}
