package dev.vigil.gateway.passkeys;

import java.io.Serial;

/** An authenticator's answer that is not accepted. The message is for the log. */
final class PasskeyRefusedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** The cause. */
  enum Reason {
    /** The answer is to no challenge of the last minutes, or to one that was answered before. */
    NOT_BEGUN,
    /** The answer does not prove what it should. */
    INVALID,
    /** The signature counter went back: the passkey may have been copied. */
    COUNTER
  }

  private final Reason reason;

  PasskeyRefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }
}
