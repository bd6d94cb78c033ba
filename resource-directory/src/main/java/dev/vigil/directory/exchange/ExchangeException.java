package dev.vigil.directory.exchange;

import java.io.Serial;

/**
 * A request that cannot be granted: the code and the one line that says why. Thrown anywhere below
 * a resource, turned into a response in one place ({@link Site}).
 */
public final class ExchangeException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final Code code;
  private final long maxAge;

  public ExchangeException(Code code, String diagnostic) {
    this(code, diagnostic, Response.NO_MAX_AGE);
  }

  /**
   * @param maxAge seconds after which it is worth trying again (4.29, 5.03)
   */
  public ExchangeException(Code code, String diagnostic, long maxAge) {
    // Expected traffic, not a fault: no stack trace is taken.
    super(diagnostic, null, false, false);
    this.code = code;
    this.maxAge = maxAge;
  }

  public Code code() {
    return code;
  }

  public String diagnostic() {
    String message = getMessage();
    return message == null ? "" : message;
  }

  public Response response() {
    return Response.diagnostic(code, diagnostic()).withMaxAge(maxAge);
  }
}
