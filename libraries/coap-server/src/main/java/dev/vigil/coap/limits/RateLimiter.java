package dev.vigil.coap.limits;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits the rate of events with one token bucket for each key. The number of buckets is bounded;
 * the bucket charged longest ago is dropped first. Safe for use by any number of threads.
 *
 * @param <K> must be comparable if strangers choose the keys, so that keys with equal hashes stay
 *     fast
 */
public final class RateLimiter<K> {
  private static final int MAX_BUCKETS = 30_000;
  private static final double SECOND_NANOS = 1e9;

  /**
   * A limit.
   *
   * @param tokens number of tokens in a full bucket, at least 1
   * @param period time in which an empty bucket fills
   */
  public record Rate(double tokens, Duration period) {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    public Rate {
      if (!(tokens >= 1) || period.isNegative() || period.isZero()) {
        throw new IllegalArgumentException(tokens + " tokens in " + period);
      }
    }

    public static Rate perMinute(double tokens) {
      return new Rate(tokens, MINUTE);
    }

    Rate times(int factor) {
      return new Rate(tokens * factor, period);
    }

    private long nanos(double number) {
      return (long) Math.ceil(number * period.toNanos() / tokens);
    }
  }

  /** Guarded by the limiter's lock. */
  private static final class Bucket {
    /** The time at which the bucket was empty, or would have been, in nanoseconds. */
    long emptySince;

    Bucket(long emptySince) {
      this.emptySince = emptySince;
    }
  }

  private final Clock clock;

  /** Ordered by last charge. Guarded by this object's lock. */
  private final Map<K, Bucket> buckets =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, Bucket> eldest) {
          return size() > MAX_BUCKETS;
        }
      };

  /**
   * Whether any bucket was ever charged. Callers read it without the lock, so that an unused
   * limiter costs nothing.
   */
  private volatile boolean charged;

  public RateLimiter(Clock clock) {
    this.clock = clock;
  }

  /** Whether nothing has been charged yet; every bucket is then full. */
  boolean isIdle() {
    return !charged;
  }

  /** Whether the bucket holds a token; does not take it. */
  public boolean allows(K key, Rate rate) {
    return secondsUntilAllowed(key, 1, rate) == 0;
  }

  /**
   * The time until the bucket holds a number of tokens; does not take them.
   *
   * @return seconds, rounded up; 0 if it holds them now
   */
  public long secondsUntilAllowed(K key, double tokens, Rate rate) {
    if (!charged) {
      return 0;
    }
    long now = now();
    synchronized (this) {
      Bucket bucket = buckets.get(key);
      if (bucket == null) {
        return 0;
      }
      long missing = emptySince(bucket, now, rate) + rate.nanos(tokens) - now;
      return missing <= 0 ? 0 : (long) Math.ceil(missing / SECOND_NANOS);
    }
  }

  /**
   * Takes tokens, even if the bucket holds fewer. A bucket never owes more than its capacity, so
   * nobody waits longer than two periods.
   */
  public void charge(K key, double tokens, Rate rate) {
    long now = now();
    long full = now - rate.period().toNanos();
    synchronized (this) {
      charged = true;
      Bucket bucket = buckets.computeIfAbsent(key, any -> new Bucket(full));
      bucket.emptySince =
          Math.min(
              emptySince(bucket, now, rate) + rate.nanos(tokens), now + rate.period().toNanos());
    }
  }

  /**
   * Takes a token if the bucket holds one.
   *
   * @return 0 if it was taken; otherwise the seconds until the bucket holds one, rounded up
   */
  public long take(K key, Rate rate) {
    synchronized (this) {
      long seconds = secondsUntilAllowed(key, 1, rate);
      if (seconds == 0) {
        charge(key, 1, rate);
      }
      return seconds;
    }
  }

  /** If the clock was set back, the bucket counts as full, so that nobody is locked out. */
  private static long emptySince(Bucket bucket, long now, Rate rate) {
    long period = rate.period().toNanos();
    return bucket.emptySince > now + period
        ? now - period
        : Math.max(bucket.emptySince, now - period);
  }

  private long now() {
    return 1_000_000 * clock.millis();
  }
}
