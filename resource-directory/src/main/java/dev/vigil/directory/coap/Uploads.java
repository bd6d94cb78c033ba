package dev.vigil.directory.coap;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.stack.AbstractLayer;

/**
 * Leaves room for bodies in blocks of those whose addresses are their own. Each body takes one of
 * few places for as long as its sender is waited for, and whoever invents addresses could take them
 * all: once strangers have begun their share, the next ones show their addresses first.
 */
final class Uploads extends AbstractLayer {
  private final Predicate<Exchange> verified;
  private final Consumer<Exchange> challenge;
  private final int share;
  private final long millis;
  private final Clock clock;

  // Guarded by this object's lock.
  private long since;
  private int begun;

  /**
   * @param verified whether the sender has shown that its address is its own
   * @param challenge answers with an Echo
   * @param share of strangers, begun in a lifetime
   * @param lifetime of a body that does not go on
   */
  Uploads(
      Predicate<Exchange> verified,
      Consumer<Exchange> challenge,
      int share,
      Duration lifetime,
      Clock clock) {
    this.verified = verified;
    this.challenge = challenge;
    this.share = share;
    this.millis = lifetime.toMillis();
    this.clock = clock;
  }

  @Override
  public void receiveRequest(Exchange exchange, Request request) {
    BlockOption block = request.getOptions().getBlock1();
    boolean begins = block != null && block.getNum() == 0 && block.isM();
    if (begins && !verified.test(exchange) && !isWithinShare()) {
      challenge.accept(exchange);
    } else {
      super.receiveRequest(exchange, request);
    }
  }

  private synchronized boolean isWithinShare() {
    long now = clock.millis();
    // A clock that was put back begins anew, too.
    if (now < since || now - since >= millis) {
      since = now;
      begun = 0;
    }
    return ++begun <= share;
  }
}
