package dev.vigil.gateway.accounts;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.access.Grants;
import java.util.List;

/** Reads roles from requests. */
final class GrantTexts {
  private static final int MAX = 64;

  private GrantTexts() {}

  /**
   * @throws ErrorResponseException 4.00 when one is malformed
   */
  static Grants read(List<String> texts) {
    if (texts.size() > MAX || texts.contains(null)) {
      throw new ErrorResponseException(Code.BAD_REQUEST, "roles takes at most " + MAX + " roles");
    }
    try {
      return Grants.of(texts);
    } catch (IllegalArgumentException e) {
      throw new ErrorResponseException(Code.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
  }
}
