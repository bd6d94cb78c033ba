package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many packets a second the world may send into the mesh: from each source, and all together,
 * since the air carries 250 kbit/s whatever comes. Token buckets; the last 1024 sources are kept.
 * Of the common one a part is kept for what motes wait for: whoever floods takes any source.
 */
public final class SourceLimit {
  private static final int MAX_SOURCES = 1_024;

  /** So much of the common bucket, which holds two seconds, strangers leave. */
  private static final double KEPT_SECONDS = 0.5;

  private static final class Bucket {
    double tokens;
    long filledAt;

    /** Takes a packet's token if at least so many stay. */
    boolean take(double perSecond, double kept, long nowMillis) {
      double burst = 2 * perSecond;
      tokens = Math.min(burst, tokens + (nowMillis - filledAt) * perSecond / 1_000);
      filledAt = nowMillis;
      if (tokens < 1 + kept) {
        return false;
      }
      tokens--;
      return true;
    }
  }

  private final double perSource;
  private final double together;
  private final Bucket all = new Bucket();
  private final Map<Ipv6Address, Bucket> sources =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Ipv6Address, Bucket> eldest) {
          return size() > MAX_SOURCES;
        }
      };

  /**
   * Makes full buckets, of two seconds each.
   *
   * @param perSource packets a second from one source
   * @param together packets a second from all of them
   */
  public SourceLimit(double perSource, double together, long nowMillis) {
    this.perSource = perSource;
    this.together = together;
    fill(all, together, nowMillis);
  }

  private static Bucket fill(Bucket bucket, double perSecond, long nowMillis) {
    bucket.tokens = 2 * perSecond;
    bucket.filledAt = nowMillis;
    return bucket;
  }

  /**
   * Whether another packet of this source may pass now.
   *
   * @param awaited whether it answers what a mote started
   */
  public boolean take(Ipv6Address source, boolean awaited, long nowMillis) {
    Bucket bucket =
        sources.computeIfAbsent(source, key -> fill(new Bucket(), perSource, nowMillis));
    return bucket.take(perSource, 0, nowMillis)
        && all.take(together, awaited ? 0 : together * KEPT_SECONDS, nowMillis);
  }
}
