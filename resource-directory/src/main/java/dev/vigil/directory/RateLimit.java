package dev.vigil.directory;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.SourceAddress;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Token buckets, one for each source address heard of lately. Safe for use by any number of
 * threads.
 */
final class RateLimit {
  private static final int REMEMBERED = 10_000;

  private final long tokenMicros;
  private final long fullMicros;
  private final Clock clock;

  /** By address, the time in us at which its bucket was, or would have been, empty. */
  private final Map<SourceAddress, Long> emptySince =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SourceAddress, Long> eldest) {
          return size() > REMEMBERED;
        }
      };

  /**
   * @param perSecond tokens that flow in
   * @param burstSeconds how long they are saved up
   */
  RateLimit(int perSecond, int burstSeconds, Clock clock) {
    this.tokenMicros = Math.max(1, 1_000_000 / perSecond);
    this.fullMicros = 1_000_000L * burstSeconds;
    this.clock = clock;
  }

  /**
   * @throws ExchangeException 4.29 with Max-Age when the source has asked too often
   */
  void charge(Caller caller) {
    long now = 1000 * clock.millis();
    SourceAddress source = SourceAddress.of(caller);
    synchronized (emptySince) {
      long before = emptySince.getOrDefault(source, 0L);
      // A clock that was put back locks nobody out: the bucket is as full as a new one.
      long since = Math.max(before > now ? 0 : before, now - fullMicros) + tokenMicros;
      if (since > now) {
        throw new ExchangeException(
            Code.TOO_MANY_REQUESTS,
            "too many changes from this address",
            Math.ceilDiv(since - now, 1_000_000));
      }
      emptySince.put(source, since);
    }
  }
}
