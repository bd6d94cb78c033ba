package dev.vigil.coap.exchange;

import java.io.Serial;

/**
 * An error response: a code and a one-line diagnostic. Any code below a resource may throw it;
 * {@link RequestDispatcher} turns it into the response.
 */
public class ErrorResponseException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final Code code;
  private final long maxAge;

  public ErrorResponseException(Code code, String diagnostic) {
    this(code, diagnostic, Response.NO_MAX_AGE);
  }

  /**
   * @param maxAge seconds after which the client may try again (4.29, 5.03)
   */
  public ErrorResponseException(Code code, String diagnostic, long maxAge) {
    // Error responses are normal traffic; a stack trace would cost more than the response.
    super(diagnostic, null, false, false);
    this.code = code;
    this.maxAge = maxAge;
  }

  public final Code code() {
    return code;
  }

  public final String diagnostic() {
    String message = getMessage();
    return message == null ? "" : message;
  }

  public final Response response() {
    return Response.diagnostic(code, diagnostic()).withMaxAge(maxAge).withRefusal(this);
  }
}
