package dev.vigil.gateway.coap.dtls;

import java.time.Clock;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.californium.scandium.dtls.DTLSContext;
import org.eclipse.californium.scandium.dtls.Handshaker;
import org.eclipse.californium.scandium.dtls.SessionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to the handshakes of one connector: prepares them, and logs failures and their causes.
 */
final class HandshakeMonitor implements SessionListener {
  private static final Logger log = LoggerFactory.getLogger(HandshakeMonitor.class);

  /** Anyone can make handshakes fail, so the number of log lines is limited. */
  private static final long WINDOW_SECONDS = 10;

  private static final int LINES_PER_WINDOW = 20;

  private static final int MAX_CAUSES = 5;

  private final ClientHelloRewriter hellos;
  private final ServerIdentities identities;
  private final Clock clock;
  private final LongAdder completed = new LongAdder();
  private final LongAdder failed = new LongAdder();

  // Guarded by this object's lock.
  private long window;
  private int lines;
  private long unlogged;

  HandshakeMonitor(ClientHelloRewriter hellos, ServerIdentities identities, Clock clock) {
    this.hellos = hellos;
    this.identities = identities;
    this.clock = clock;
  }

  long completed() {
    return completed.sum();
  }

  long failed() {
    return failed.sum();
  }

  @Override
  public void handshakeStarted(Handshaker handshaker) {
    identities.chooseFor(
        hellos.restore(handshaker.getPeerAddress()).filter(ClientHello::wantsRawKey).isPresent());
  }

  @Override
  public void handshakeFailed(Handshaker handshaker, Throwable error) {
    failed.increment();
    long more;
    synchronized (this) {
      long now = clock.instant().getEpochSecond() / WINDOW_SECONDS;
      if (now != window) {
        window = now;
        lines = 0;
      }
      if (++lines > LINES_PER_WINDOW) {
        unlogged++;
        return;
      }
      more = unlogged;
      unlogged = 0;
    }
    log.info(
        "CoAPS: the handshake with {} failed: {}{}",
        handshaker.getPeerAddress(),
        reason(error),
        more == 0 ? "" : " (and " + more + " more failures)");
  }

  private static String reason(Throwable error) {
    StringBuilder reason = new StringBuilder();
    Throwable cause = error;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      String message = cause.getMessage();
      if (message != null && reason.indexOf(message) < 0) {
        reason.append(reason.isEmpty() ? "" : ": ").append(message);
      }
    }
    return reason.isEmpty() ? error.getClass().getSimpleName() : reason.toString();
  }

  @Override
  public void contextEstablished(Handshaker handshaker, DTLSContext context) {
    // Each request carries the identity of its peer.
  }

  @Override
  public void handshakeCompleted(Handshaker handshaker) {
    completed.increment();
  }

  @Override
  public void handshakeFlightRetransmitted(Handshaker handshaker, int flight) {
    // Scandium counts them.
  }
}
