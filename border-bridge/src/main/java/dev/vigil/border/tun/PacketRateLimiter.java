package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits the packets per second from outside into the mesh, for each source and in total, because
 * the radio carries only 250 kbit/s. It uses token buckets of two seconds and keeps the last 1024
 * sources. A part of the total bucket is reserved for answers to motes, because a flood may come
 * from any number of sources.
 */
public final class PacketRateLimiter {
  private static final int MAX_SOURCES = 1_024;

  /** The part of the total bucket that is reserved for answers to motes. */
  private static final double RESERVED_SECONDS = 0.5;

  private static final class Bucket {
    double tokens;
    long filledAt;

    /** Takes one token if {@code reserved} tokens remain. */
    boolean take(double perSecond, double reserved, long nowMillis) {
      double burst = 2 * perSecond;
      tokens = Math.min(burst, tokens + (nowMillis - filledAt) * perSecond / 1_000);
      filledAt = nowMillis;
      if (tokens < 1 + reserved) {
        return false;
      }
      tokens--;
      return true;
    }
  }

  private final double perSource;
  private final double total;
  private final Bucket totalBucket = new Bucket();
  private final Map<Ipv6Address, Bucket> sources =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Ipv6Address, Bucket> eldest) {
          return size() > MAX_SOURCES;
        }
      };

  /**
   * Makes a limiter with full buckets.
   *
   * @param perSource packets per second from one source
   * @param total packets per second from all sources together
   */
  public PacketRateLimiter(double perSource, double total, long nowMillis) {
    this.perSource = perSource;
    this.total = total;
    fill(totalBucket, total, nowMillis);
  }

  private static Bucket fill(Bucket bucket, double perSecond, long nowMillis) {
    bucket.tokens = 2 * perSecond;
    bucket.filledAt = nowMillis;
    return bucket;
  }

  /**
   * Takes tokens for a packet of this source; false if it may not pass now.
   *
   * @param awaited whether the packet belongs to a flow that a mote started
   */
  public boolean take(Ipv6Address source, boolean awaited, long nowMillis) {
    Bucket bucket =
        sources.computeIfAbsent(source, key -> fill(new Bucket(), perSource, nowMillis));
    return bucket.take(perSource, 0, nowMillis)
        && totalBucket.take(total, awaited ? 0 : total * RESERVED_SECONDS, nowMillis);
  }
}
