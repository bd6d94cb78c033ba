package dev.vigil.gateway.passkeys;

/** The purpose of a challenge; an answer for another purpose is refused. */
sealed interface Purpose {
  /**
   * Adding a passkey to a signed-in account.
   *
   * @param handle handle of the account, which the authenticator keeps with the passkey, base64url
   */
  record Registration(String account, String handle) implements Purpose {}

  /** Signing in with a passkey alone. */
  record SignIn() implements Purpose {}

  /**
   * Signing in to an account after its password was correct.
   *
   * @param credentials id of the credentials with that password
   */
  record SecondFactor(String account, String credentials) implements Purpose {}
}
