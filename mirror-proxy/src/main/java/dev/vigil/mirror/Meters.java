package dev.vigil.mirror;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much of its share of a minute somebody used: a bucket for each, the least recently used ones
 * forgotten beyond a bound.
 */
final class Meters<K> {
  private static final int REMEMBERED = 100_000;
  private static final double MINUTE_MILLIS = 60_000;

  /** Guards itself and the buckets in it. */
  private final Map<K, Bucket> buckets =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, Bucket> eldest) {
          return size() > REMEMBERED;
        }
      };

  private final Clock clock;

  private static final class Bucket {
    /** How much of the minute's share, after what ran out until then. */
    double used;

    /** Unix time in milliseconds. */
    long at;

    double usedAt(long now, int perMinute) {
      // A clock that was put back locks nobody out: time goes on from there.
      at = Math.min(at, now);
      return Math.max(0, used - (now - at) / MINUTE_MILLIS * perMinute);
    }
  }

  Meters(Clock clock) {
    this.clock = clock;
  }

  /** Whether there is room for one more. */
  boolean allows(K who, int perMinute) {
    synchronized (buckets) {
      Bucket bucket = buckets.get(who);
      return bucket == null || bucket.usedAt(clock.millis(), perMinute) + 1 <= perMinute;
    }
  }

  /** Seconds until there is room for one again at the latest, at least 1. */
  long wait(int perMinute) {
    return Math.max(1, (long) Math.ceil(60.0 / perMinute));
  }

  void charge(K who, int perMinute) {
    synchronized (buckets) {
      long now = clock.millis();
      Bucket bucket = buckets.computeIfAbsent(who, key -> new Bucket());
      bucket.used = bucket.usedAt(now, perMinute) + 1;
      bucket.at = now;
    }
  }
}
