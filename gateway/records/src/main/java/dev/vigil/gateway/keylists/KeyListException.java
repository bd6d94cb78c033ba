package dev.vigil.gateway.keylists;

import java.io.Serial;

/** A list of keys has faults; the message names the place of each. */
public final class KeyListException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  KeyListException(String message) {
    // Invalid input is normal; nobody needs its stack trace.
    super(message, null, false, false);
  }

  static KeyListException at(String place, String reason) {
    return new KeyListException(place + ": " + reason);
  }
}
