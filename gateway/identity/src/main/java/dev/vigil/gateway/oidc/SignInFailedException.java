package dev.vigil.gateway.oidc;

import java.io.Serial;
import java.util.Locale;

/** Thrown when a sign-in through the provider ends without a session. */
public final class SignInFailedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** The cause that the sign-in page explains. */
  public enum Reason {
    /** This browser began no matching sign-in in the last minutes. */
    NOT_BEGUN,
    /** The provider refused, or the person gave up. */
    REFUSED,
    /** The provider's answer does not prove the person's identity. */
    INVALID,
    /** No value of the claim has a role on this gateway. */
    NO_ROLE,
    /** The provider does not answer. */
    UNAVAILABLE,
    /** Too many sign-ins from this address have failed. */
    TOO_MANY;

    /** The label in addresses, for instance {@code no-role}. */
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
