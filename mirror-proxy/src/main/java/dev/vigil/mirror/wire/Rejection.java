package dev.vigil.mirror.wire;

import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Response;
import java.io.Serial;

/**
 * Something received that is refused: the reason, which names the code, and one line for its
 * sender. Turned into an answer, and counted, in one place of the mirror.
 */
public final class Rejection extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final String line;
  private final long maxAge;

  public Rejection(Reason reason, String line) {
    this(reason, line, Response.NO_MAX_AGE);
  }

  /**
   * @param maxAge seconds after which it is worth trying again
   */
  public Rejection(Reason reason, String line, long maxAge) {
    // Expected traffic, not a fault: no stack trace is taken.
    super(line, null, false, false);
    this.reason = reason;
    this.line = line;
    this.maxAge = maxAge;
  }

  public static Rejection malformed(String line) {
    return new Rejection(Reason.MALFORMED, line);
  }

  public Reason reason() {
    return reason;
  }

  public String line() {
    return line;
  }

  public ExchangeException toExchange() {
    return new ExchangeException(reason.code(), line, maxAge);
  }
}
