package dev.vigil.coap.server;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.stack.AbstractLayer;

/**
 * Limits the block-wise uploads (RFC 7959) of unverified senders. An upload occupies one of few
 * transfers until its lifetime ends, so a sender with forged addresses could occupy all of them.
 * Above the limit, an unverified sender is challenged to verify its address first.
 */
final class BlockwiseUploadLimit extends AbstractLayer {
  private final Predicate<Exchange> verified;
  private final Consumer<Exchange> challenge;
  private final int maxUnverified;
  private final long lifetimeMillis;
  private final Clock clock;

  // Guarded by this object's lock.
  private long periodStart;
  private int begunInPeriod;

  /**
   * @param verified whether the sender's address is verified
   * @param challenge responds with an Echo option
   * @param maxUnverified uploads that unverified senders may begin within {@code lifetime}
   * @param lifetime of an upload that does not continue
   */
  BlockwiseUploadLimit(
      Predicate<Exchange> verified,
      Consumer<Exchange> challenge,
      int maxUnverified,
      Duration lifetime,
      Clock clock) {
    this.verified = verified;
    this.challenge = challenge;
    this.maxUnverified = maxUnverified;
    this.lifetimeMillis = lifetime.toMillis();
    this.clock = clock;
  }

  @Override
  public void receiveRequest(Exchange exchange, Request request) {
    BlockOption block = request.getOptions().getBlock1();
    boolean begins = block != null && block.getNum() == 0 && block.isM();
    if (begins && !verified.test(exchange) && !isWithinLimit()) {
      challenge.accept(exchange);
    } else {
      super.receiveRequest(exchange, request);
    }
  }

  private synchronized boolean isWithinLimit() {
    long now = clock.millis();
    // A clock that was set back starts a new period, too.
    if (now < periodStart || now - periodStart >= lifetimeMillis) {
      periodStart = now;
      begunInPeriod = 0;
    }
    return ++begunInPeriod <= maxUnverified;
  }
}
