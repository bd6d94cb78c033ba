package dev.vigil.signed.jose;

/** A signed update or registration in any form: header, payload and signature. */
public sealed interface SignedObject permits Jws, CoseSign1 {
  ProtectedHeader header();

  byte[] payload();

  /** The whole object, as it is stored and served. */
  byte[] octets();

  /** An array that begins with the signed octets. */
  byte[] signedOctets();

  /** Number of leading octets of {@link #signedOctets()} that are signed. */
  int signedLength();

  /** R then S, or the 64 octets of Ed25519. */
  byte[] signature();
}
