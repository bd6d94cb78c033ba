package dev.vigil.gateway.exchange;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of large responses to slow readers: the response to an unfiltered lookup has
 * some megabytes, and each connection may hold one while it waits. Any thread may call it.
 */
final class LargeResponseLimit {
  /** Octets of a response that is not limited. */
  private static final int SMALL = 1 << 20;

  private static final long BUSY_SECONDS = 5;

  private final long capacity;
  private final AtomicLong waiting = new AtomicLong();

  /** Writes a response; blocks as long as the reader does. */
  @FunctionalInterface
  interface Writer {
    void write() throws IOException;
  }

  /**
   * @param capacity octets of all large responses at a time
   */
  LargeResponseLimit(long capacity) {
    this.capacity = capacity;
  }

  /**
   * @throws ErrorResponseException 5.03 when the capacity is used up; nothing was written then
   */
  void write(int octets, Writer writer) throws IOException {
    if (octets <= SMALL) {
      writer.write();
      return;
    }
    // A single response may exceed the capacity: it is in memory already.
    if (waiting.addAndGet(octets) > Math.max(capacity, octets)) {
      waiting.addAndGet(-octets);
      throw new ProblemException(
          ProblemType.OVERLOADED, "too many large responses are being read", BUSY_SECONDS);
    }
    try {
      writer.write();
    } finally {
      waiting.addAndGet(-octets);
    }
  }
}
