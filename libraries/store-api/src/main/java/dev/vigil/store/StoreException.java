package dev.vigil.store;

import java.io.Serial;

/** The store could not read or write. The message names the cause and, where known, the remedy. */
public final class StoreException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
