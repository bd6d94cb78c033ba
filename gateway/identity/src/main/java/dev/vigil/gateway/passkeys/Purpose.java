package dev.vigil.gateway.passkeys;

/** The purpose of a challenge; an answer for another one is refused. */
sealed interface Purpose {
  /**
   * Another passkey for an account that is signed in.
   *
   * @param handle of the account, which the authenticator keeps beside the passkey, base64url
   */
  record Registration(String account, String handle) implements Purpose {}

  /** Signing in with a passkey alone. */
  record SignIn() implements Purpose {}

  /** Signing in to an account whose password was right. */
  record SecondFactor(String account) implements Purpose {}
}
