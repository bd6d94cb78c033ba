package dev.vigil.mirror.jose;

/** Something signed, whatever its form: what was signed, and the signature. */
public interface Signed {
  /** Holds what was signed, from its start. */
  byte[] signedOctets();

  /** How many of {@link #signedOctets()} are signed. */
  int signedLength();

  /** R then S, or the 64 octets of Ed25519. */
  byte[] signature();
}
