package dev.vigil.mirror.trust;

import java.io.Serial;

/** The identity key file holds no key. The message names the file. */
public final class UnusableIdentityException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1L;

  UnusableIdentityException(String message, Throwable cause) {
    super(message, cause);
  }
}
