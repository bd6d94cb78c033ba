package dev.vigil.mirror.jose;

import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import dev.vigil.mirror.wire.WireWriter;

/**
 * A JWS in compact serialization (RFC 7515 section 7.1), parsed and not yet verified.
 *
 * @param octets the whole of it as received, ASCII
 * @param signedLength how many of those octets are signed: header, dot, payload
 */
public record Jws(byte[] octets, int signedLength, Header header, byte[] payload, byte[] signature)
    implements Signed {

  /**
   * @throws Rejection 4.00
   */
  public static Jws parse(byte[] octets) {
    WireReader in = new WireReader(octets);
    int headerLength = in.distanceTo('.');
    if (headerLength <= 0 || headerLength > Header.MAX_LENGTH) {
      throw Rejection.malformed("not a JWS in compact serialization");
    }
    byte[] headerOctets = in.base64url(headerLength);
    in.skip(1);
    int payloadLength = in.distanceTo('.');
    if (payloadLength < 0) {
      throw Rejection.malformed("not a JWS in compact serialization");
    }
    byte[] payload = in.base64url(payloadLength);
    int signedLength = in.position();
    in.skip(1);
    Header header = Header.parse(headerOctets);
    byte[] signature = in.base64url(in.remaining());
    if (signature.length != header.algorithm().signatureLength()) {
      throw new Rejection(Reason.BAD_SIGNATURE, "the signature has the wrong length");
    }
    return new Jws(octets, signedLength, header, payload, signature);
  }

  /** Five parts make it a JWE (RFC 7516 section 7.1). */
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

  /** The JWS of a header that stands as text, a payload and a signature made elsewhere. */
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
