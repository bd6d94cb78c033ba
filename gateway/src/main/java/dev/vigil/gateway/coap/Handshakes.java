package dev.vigil.gateway.coap;

import java.time.Clock;
import org.eclipse.californium.scandium.dtls.DTLSContext;
import org.eclipse.californium.scandium.dtls.Handshaker;
import org.eclipse.californium.scandium.dtls.SessionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the handshakes of one server: prepares them, and says which failed and why. */
final class Handshakes implements SessionListener {
  private static final Logger log = LoggerFactory.getLogger(Handshakes.class);

  /** Anybody can make handshakes fail; nobody shall fill a disk with it. */
  private static final long WINDOW_SECONDS = 10;

  private static final int LINES_A_WINDOW = 20;

  private static final int DEEPEST_CAUSE = 5;

  private final Hellos hellos;
  private final Identities identities;
  private final Clock clock;

  // Guarded by this object's lock.
  private long window;
  private int lines;
  private long untold;

  Handshakes(Hellos hellos, Identities identities, Clock clock) {
    this.hellos = hellos;
    this.identities = identities;
    this.clock = clock;
  }

  @Override
  public void handshakeStarted(Handshaker handshaker) {
    identities.chooseFor(
        hellos.begin(handshaker.getPeerAddress()).filter(Hello::wantsRawKey).isPresent());
  }

  @Override
  public void handshakeFailed(Handshaker handshaker, Throwable error) {
    long more;
    synchronized (this) {
      long now = clock.instant().getEpochSecond() / WINDOW_SECONDS;
      if (now != window) {
        window = now;
        lines = 0;
      }
      if (++lines > LINES_A_WINDOW) {
        untold++;
        return;
      }
      more = untold;
      untold = 0;
    }
    log.info(
        "CoAPS: no handshake with {}: {}{}",
        handshaker.getPeerAddress(),
        reason(error),
        more == 0 ? "" : " (and " + more + " more that failed)");
  }

  private static String reason(Throwable error) {
    StringBuilder reason = new StringBuilder();
    Throwable cause = error;
    for (int i = 0; cause != null && i < DEEPEST_CAUSE; i++, cause = cause.getCause()) {
      String message = cause.getMessage();
      if (message != null && reason.indexOf(message) < 0) {
        reason.append(reason.isEmpty() ? "" : ": ").append(message);
      }
    }
    return reason.isEmpty() ? error.getClass().getSimpleName() : reason.toString();
  }

  @Override
  public void contextEstablished(Handshaker handshaker, DTLSContext context) {
    // Requests say whose they are.
  }

  @Override
  public void handshakeCompleted(Handshaker handshaker) {
    // As above.
  }

  @Override
  public void handshakeFlightRetransmitted(Handshaker handshaker, int flight) {
    // Scandium counts them.
  }
}
