package dev.vigil.gateway.store.jetstream.messages;

import dev.vigil.store.EndpointName;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The position of the stream's oldest message, as far as this gateway knows. It rises when messages
 * that snapshots cover are removed. Thread-safe.
 */
public final class StreamStart {
  private final AtomicLong first;

  public StreamStart(long first) {
    this.first = new AtomicLong(first);
  }

  public long position() {
    return first.get();
  }

  /** Notes that the stream was seen to begin at a position. */
  public void reach(long position) {
    first.accumulateAndGet(position, Math::max);
  }

  /**
   * Notes that the stream was seen to have a message. Servers that went back to older disks may
   * have messages again that were removed.
   */
  public void notAfter(long position) {
    first.accumulateAndGet(position, Math::min);
  }

  /**
   * The position that the servers must find as the last one of an endpoint's subject. It is 0 once
   * all messages of the endpoint are removed.
   *
   * @param before position on which the next message was decided
   * @param newest the replica's newest position of an endpoint
   * @param applied the position up to which the replica has applied the stream
   * @return empty while the replica lacks a removed message, or has a newer one of the endpoint: a
   *     message without an expectation must not be sent then
   */
  public OptionalLong expected(
      EndpointName name, long before, ToLongFunction<EndpointName> newest, LongSupplier applied) {
    long from = first.get();
    if (before >= from) {
      return OptionalLong.of(before);
    }
    // This order matters: the newest position then includes all that was applied.
    if (applied.getAsLong() < from - 1) {
      return OptionalLong.empty();
    }
    return newest.applyAsLong(name) > before ? OptionalLong.empty() : OptionalLong.of(0);
  }
}
