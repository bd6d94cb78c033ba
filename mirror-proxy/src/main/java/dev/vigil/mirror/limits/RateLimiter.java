package dev.vigil.mirror.limits;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits events for each key to a number a minute with leaky buckets. Beyond a bound on the number
 * of buckets, the least recently used one is dropped. Safe for use by any number of threads.
 */
public final class RateLimiter<K> {
  private static final int MAX_BUCKETS = 100_000;
  private static final double MINUTE_MILLIS = 60_000;

  /** Its monitor guards the map and the buckets. */
  private final Map<K, Bucket> buckets =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, Bucket> eldest) {
          return size() > MAX_BUCKETS;
        }
      };

  private final Clock clock;

  private static final class Bucket {
    /** Fill level in events at the time {@link #updatedAt}. */
    double level;

    /** Unix time in milliseconds. */
    long updatedAt;

    double levelAt(long now, int perMinute) {
      // A clock set back would keep the bucket full until the old time is reached again.
      updatedAt = Math.min(updatedAt, now);
      return Math.max(0, level - (now - updatedAt) / MINUTE_MILLIS * perMinute);
    }
  }

  public RateLimiter(Clock clock) {
    this.clock = clock;
  }

  /** Whether the limit permits one more event; counts nothing. */
  public boolean allows(K key, int perMinute) {
    synchronized (buckets) {
      Bucket bucket = buckets.get(key);
      return bucket == null || bucket.levelAt(clock.millis(), perMinute) + 1 <= perMinute;
    }
  }

  /** Upper bound of the seconds until a full bucket permits one event; at least 1. */
  public long retryAfterSeconds(int perMinute) {
    return Math.max(1, (long) Math.ceil(60.0 / perMinute));
  }

  /** Counts one event. */
  public void charge(K key, int perMinute) {
    synchronized (buckets) {
      long now = clock.millis();
      Bucket bucket = buckets.computeIfAbsent(key, k -> new Bucket());
      bucket.level = bucket.levelAt(now, perMinute) + 1;
      bucket.updatedAt = now;
    }
  }
}
