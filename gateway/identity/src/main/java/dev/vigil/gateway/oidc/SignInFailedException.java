package dev.vigil.gateway.oidc;

import java.io.Serial;
import java.util.Locale;

/** A sign-in through the provider that ends without a session. */
public final class SignInFailedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** The cause, for the sign-in page. */
  public enum Reason {
    /** The answer belongs to no sign-in that this browser began in the last minutes. */
    NOT_BEGUN,
    /** The provider refused, or the person gave up there. */
    REFUSED,
    /** The provider's answer does not prove who it is. */
    INVALID,
    /** No value of the claim has a role here. */
    NO_ROLE,
    /** The provider does not answer. */
    UNAVAILABLE,
    /** Too many sign-ins of this address have failed. */
    TOO_MANY;

    /** The name in addresses, for instance {@code no-role}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Reason reason;

  SignInFailedException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
