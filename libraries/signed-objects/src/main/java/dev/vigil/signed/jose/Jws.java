package dev.vigil.signed.jose;

import dev.vigil.signed.Fault;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.wire.WireReader;
import dev.vigil.signed.wire.WireWriter;

/**
 * A JWS in compact serialization (RFC 7515 section 7.1), parsed but not verified.
 *
 * @param octets the whole JWS as received, ASCII
 * @param signedLength number of leading octets that are signed: header, dot, payload
 */
public record Jws(
    byte[] octets, int signedLength, ProtectedHeader header, byte[] payload, byte[] signature)
    implements SignedObject {

  /**
   * @throws SignedObjectException when the JWS is malformed or outside the profile
   */
  public static Jws parse(byte[] octets) {
    WireReader in = new WireReader(octets);
    int headerLength = in.distanceTo('.');
    if (headerLength <= 0 || headerLength > ProtectedHeader.MAX_LENGTH) {
      throw SignedObjectException.malformed("not a JWS in compact serialization");
    }
    byte[] headerOctets = in.base64url(headerLength);
    in.skip(1);
    int payloadLength = in.distanceTo('.');
    if (payloadLength < 0) {
      throw SignedObjectException.malformed("not a JWS in compact serialization");
    }
    byte[] payload = in.base64url(payloadLength);
    int signedLength = in.position();
    in.skip(1);
    ProtectedHeader header = ProtectedHeader.parse(headerOctets);
    byte[] signature = in.base64url(in.remaining());
    if (signature.length != header.algorithm().signatureLength()) {
      throw new SignedObjectException(Fault.BAD_SIGNATURE, "the signature has the wrong length");
    }
    return new Jws(octets, signedLength, header, payload, signature);
  }

  /** Whether the octets have the five parts of a JWE (RFC 7516 section 7.1). */
  public static boolean looksEncrypted(byte[] octets) {
    int dots = 0;
    for (byte octet : octets) {
      dots += octet == '.' ? 1 : 0;
    }
    return dots == 4;
  }

  @Override
  public byte[] signedOctets() {
    return octets;
  }

  /** The JWS of a header text, a payload and a finished signature. */
  static byte[] assemble(String header, byte[] payload, byte[] signature) {
    return new WireWriter(4 * (header.length() + payload.length + signature.length) / 3 + 8)
        .octets(signingInput(header, payload))
        .u8('.')
        .base64url(signature)
        .toOctets();
  }

  static byte[] signingInput(String header, byte[] payload) {
    return new WireWriter(4 * (header.length() + payload.length) / 3 + 8)
        .base64url(header.getBytes(java.nio.charset.StandardCharsets.UTF_8))
        .u8('.')
        .base64url(payload)
        .toOctets();
  }
}
