package dev.vigil.gateway.passkeys;

import java.io.Serial;

/** Thrown for an authenticator's answer that is not accepted. The message is for the log. */
final class PasskeyRefusedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** The reason for the refusal. */
  enum Reason {
    /** The answer's challenge is unknown, expired, already answered or of a former password. */
    NOT_BEGUN,
    /** The answer does not prove possession of the passkey. */
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
