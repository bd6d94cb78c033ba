package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.SourceAddress;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/** Token buckets of the most recent source addresses. Safe for use by any number of threads. */
final class RateLimiter {
  private static final int MAX_SOURCES = 10_000;

  private final long tokenMicros;
  private final long fullMicros;
  private final Clock clock;

  /** By address, the time in us at which its bucket was empty, or would have been. */
  private final Map<SourceAddress, Long> emptySince =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SourceAddress, Long> eldest) {
          return size() > MAX_SOURCES;
        }
      };

  /**
   * @param perSecond tokens added to each bucket
   * @param burstSeconds time after which a bucket is full
   */
  RateLimiter(int perSecond, int burstSeconds, Clock clock) {
    this.tokenMicros = Math.max(1, 1_000_000 / perSecond);
    this.fullMicros = 1_000_000L * burstSeconds;
    this.clock = clock;
  }

  /**
   * @throws ErrorResponseException 4.29 with Max-Age when the source's bucket is empty
   */
  void charge(Caller caller) {
    long now = 1000 * clock.millis();
    SourceAddress source = SourceAddress.of(caller);
    synchronized (emptySince) {
      long before = emptySince.getOrDefault(source, 0L);
      // After the clock was set back, the bucket counts as full: no source is locked out.
      long since = Math.max(before > now ? 0 : before, now - fullMicros) + tokenMicros;
      if (since > now) {
        throw new ErrorResponseException(
            Code.TOO_MANY_REQUESTS,
            "too many changes from this address",
            Math.ceilDiv(since - now, 1_000_000));
      }
      emptySince.put(source, since);
    }
  }
}
