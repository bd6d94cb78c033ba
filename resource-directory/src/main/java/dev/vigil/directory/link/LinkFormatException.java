package dev.vigil.directory.link;

import java.io.Serial;

/** A document that is not in link format, or beyond a limit; says where. */
public final class LinkFormatException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public LinkFormatException(String message) {
    super(message, null, false, false);
  }
}
