package dev.vigil.coap.link;

import java.io.Serial;

/** The document is not in link format, or exceeds a limit; the message names the position. */
public final class LinkFormatException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public LinkFormatException(String message) {
    super(message, null, false, false);
  }
}
