package dev.vigil.mirror.refusal;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import java.io.Serial;

/** The response to a read of a stale value in a domain that does not serve stale values. */
public final class StaleValueException extends ErrorResponseException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * @param maxAge the wake interval of the endpoint in seconds: a new value may arrive by then
   */
  public StaleValueException(long maxAge) {
    super(Code.SERVICE_UNAVAILABLE, "the value is stale", maxAge);
  }
}
