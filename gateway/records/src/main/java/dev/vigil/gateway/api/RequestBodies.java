package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/**
 * Reads the body of a request up to a limit. Spring's {@code @RequestBody}, forms and multipart are
 * not used because they have no limit.
 */
public final class RequestBodies {
  /** The request attribute with a {@link Runnable} that is called after the body was read. */
  public static final String BODY_READ = RequestBodies.class.getName() + ".bodyRead";

  private RequestBodies() {}

  /**
   * @param max the maximum number of octets
   * @throws ErrorResponseException 4.01 when the caller lost its rights while the body arrived,
   *     4.13 when the body is larger than {@code max}. A body with a larger Content-Length is not
   *     read
   */
  public static byte[] read(HttpServletRequest from, int max) throws IOException {
    if (from.getContentLengthLong() <= max) {
      byte[] body = from.getInputStream().readNBytes(max + 1);
      if (body.length <= max) {
        if (from.getAttribute(BODY_READ) instanceof Runnable bodyRead) {
          bodyRead.run();
        }
        if (HttpCallers.isValid(from)) {
          return body;
        }
        throw new ProblemException(
            ProblemType.INVALID_CREDENTIALS,
            "the credentials expired or their rights changed while the request arrived: sign in again");
      }
    }
    throw new ProblemException(
        ProblemType.TOO_LARGE, "the body may have at most " + max + " octets");
  }
}
