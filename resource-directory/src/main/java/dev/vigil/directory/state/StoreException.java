package dev.vigil.directory.state;

import java.io.Serial;

/** The store could not read or write; says what and, where it can, the way out. */
public final class StoreException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
