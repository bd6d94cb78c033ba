package dev.vigil.mirror.refusal;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Response;
import dev.vigil.signed.SignedObjectException;
import java.io.Serial;

/** The refusal of a request. Its {@link Reason} determines the counter and the response code. */
public final class RequestRefused extends ErrorResponseException {
  @Serial private static final long serialVersionUID = 1L;

  private final Reason reason;

  /**
   * @param line the diagnostic payload (RFC 7252 section 5.5.2), one line
   */
  public RequestRefused(Reason reason, String line) {
    this(reason, line, Response.NO_MAX_AGE);
  }

  /**
   * @param maxAge the Max-Age of the response: seconds after which the client may try again
   */
  public RequestRefused(Reason reason, String line, long maxAge) {
    super(reason.code(), line, maxAge);
    this.reason = reason;
  }

  public static RequestRefused malformed(String line) {
    return new RequestRefused(Reason.MALFORMED, line);
  }

  public static RequestRefused of(SignedObjectException e) {
    return new RequestRefused(Reason.of(e.fault()), e.line());
  }

  public Reason reason() {
    return reason;
  }
}
