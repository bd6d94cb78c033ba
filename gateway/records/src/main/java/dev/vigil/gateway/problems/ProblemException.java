package dev.vigil.gateway.problems;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Response;
import java.io.Serial;
import java.nio.charset.StandardCharsets;

/**
 * An error response of a specific problem type. Other exceptions have the general type of their
 * codes.
 */
public final class ProblemException extends ErrorResponseException {
  @Serial private static final long serialVersionUID = 1L;

  private final ProblemType type;

  public ProblemException(ProblemType type, String diagnostic) {
    this(type, diagnostic, Response.NO_MAX_AGE);
  }

  /**
   * @param maxAge seconds after which the client may try again
   */
  public ProblemException(ProblemType type, String diagnostic, long maxAge) {
    super(type.code(), diagnostic, maxAge);
    this.type = type;
  }

  /** Converts an error response of the dispatcher, with the general problem type of its code. */
  public static ProblemException of(Response refusal) {
    return new ProblemException(
        ProblemType.of(refusal.code()),
        new String(refusal.payload(), StandardCharsets.UTF_8),
        refusal.maxAge());
  }

  public ProblemType type() {
    return type;
  }
}
