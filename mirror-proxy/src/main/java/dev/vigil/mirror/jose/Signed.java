package dev.vigil.mirror.jose;

/** An update or registration, whatever its form: what was signed, and the signature. */
public sealed interface Signed permits Jws, CoseSign1 {
  Header header();

  byte[] payload();

  /** The whole object as it is stored and served. */
  byte[] octets();

  /** Holds what was signed, from its start. */
  byte[] signedOctets();

  /** How many of {@link #signedOctets()} are signed. */
  int signedLength();

  /** R then S, or the 64 octets of Ed25519. */
  byte[] signature();
}
