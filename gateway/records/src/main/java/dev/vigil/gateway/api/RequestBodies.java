package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/**
 * Reads the body of a request up to a limit. Spring's {@code @RequestBody}, forms and multipart
 * have no limit and are not used.
 */
public final class RequestBodies {
  /** The attribute of a request with a {@link Runnable} that is called when the body was read. */
  public static final String BODY_READ = RequestBodies.class.getName() + ".bodyRead";

  private RequestBodies() {}

  /**
   * @param max octets at max
   * @throws ErrorResponseException 4.01 when the rights of the caller ended while the body arrived,
   *     4.13 when the body is larger; a body whose announced length is larger is not read
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
            "the credentials have ended, or their rights have changed, while the request arrived");
      }
    }
    throw new ProblemException(
        ProblemType.TOO_LARGE, "the body may have at most " + max + " octets");
  }
}
