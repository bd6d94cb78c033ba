package dev.vigil.gateway.http;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/**
 * The one way to take the body of a request. Spring's own ({@code @RequestBody}, forms, multipart)
 * would hold as much as a stranger sends.
 */
public final class Bodies {
  private Bodies() {}

  /**
   * @param most octets
   * @throws ExchangeException 4.13 when there are more; what is announced as more is not read
   */
  public static byte[] read(HttpServletRequest from, int most) throws IOException {
    if (from.getContentLengthLong() <= most) {
      byte[] body = from.getInputStream().readNBytes(most + 1);
      if (body.length <= most) {
        return body;
      }
    }
    throw new ExchangeException(
        Code.REQUEST_ENTITY_TOO_LARGE, "a body has at most " + most + " octets");
  }
}
