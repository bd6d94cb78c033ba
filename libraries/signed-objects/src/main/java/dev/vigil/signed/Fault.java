package dev.vigil.signed;

/** The reason why a signed object is refused. */
public enum Fault {
  /** The octets violate their format or hold a value that the profile does not allow. */
  MALFORMED,
  /**
   * The header has a member that the profile forbids: {@code jku}, {@code x5c}, {@code x5u}, {@code
   * b64}, {@code crit}, or a private key.
   */
  FORBIDDEN_MEMBER,
  /** The signature is not one of the algorithm in the header. */
  BAD_SIGNATURE
}
