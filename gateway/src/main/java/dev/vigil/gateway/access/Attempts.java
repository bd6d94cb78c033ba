package dev.vigil.gateway.access;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.SourceAddress;
import java.net.InetAddress;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts failed attempts to say who one is, by source address and minute. */
final class Attempts {
  private static final Logger log = LoggerFactory.getLogger(Attempts.class);
  private static final int A_MINUTE = 10;
  private static final long MINUTE_MILLIS = 60_000;
  private static final int REMEMBERED = 10_000;

  private final Clock clock;

  /** Guarded by itself. */
  private final Map<SourceAddress, Count> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SourceAddress, Count> eldest) {
          return size() > REMEMBERED;
        }
      };

  /**
   * @param since unix time in milliseconds, the start of its minute
   */
  private record Count(long since, int failed) {}

  Attempts(Clock clock) {
    this.clock = clock;
  }

  /**
   * @throws ExchangeException 4.29 with Max-Age once there were too many in a minute
   */
  void failed(InetAddress source) {
    long now = clock.millis();
    Count count;
    synchronized (counts) {
      count =
          counts.compute(
              SourceAddress.of(source),
              (who, before) ->
                  before == null || now - before.since >= MINUTE_MILLIS || now < before.since
                      ? new Count(now, 1)
                      : new Count(before.since, before.failed + 1));
    }
    if (count.failed > A_MINUTE) {
      if (count.failed == A_MINUTE + 1) {
        log.warn("{} tries one wrong token after another", source.getHostAddress());
      }
      throw new ExchangeException(
          Code.TOO_MANY_REQUESTS,
          "too many wrong credentials from this address",
          1 + (count.since + MINUTE_MILLIS - now) / 1000);
    }
  }
}
