package dev.vigil.gateway.http;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what waits for readers that read slowly: an unfiltered lookup is some megabytes, and there
 * may be as many of them as connections. Any number of threads.
 */
final class LargeAnswers {
  /** What every connection may wait with. */
  private static final int SMALL = 1 << 20;

  private static final long BUSY_SECONDS = 5;

  private final long most;
  private final AtomicLong waiting = new AtomicLong();

  /** Writes an answer, for as long as its reader takes. */
  @FunctionalInterface
  interface Writing {
    void write() throws IOException;
  }

  /**
   * @param most octets of large answers at a time
   */
  LargeAnswers(long most) {
    this.most = most;
  }

  /**
   * @throws ExchangeException 5.03 when too much waits already; nothing was written then
   */
  void write(int octets, Writing writing) throws IOException {
    if (octets <= SMALL) {
      writing.write();
      return;
    }
    // One alone may be larger: it is there already, and must go some time.
    if (waiting.addAndGet(octets) > Math.max(most, octets)) {
      waiting.addAndGet(-octets);
      throw new ExchangeException(
          Code.SERVICE_UNAVAILABLE, "too many large answers wait for their readers", BUSY_SECONDS);
    }
    try {
      writing.write();
    } finally {
      waiting.addAndGet(-octets);
    }
  }
}
