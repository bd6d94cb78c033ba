package dev.vigil.signed.jose;

import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.wire.WireReader;

/**
 * The compact signed update (content format 65102, docs/protocol.md section 4.2): {@code flags |
 * seq(2) | [ack(2)] | payload | signature}, or encrypted {@code flags | seq(2) | ciphertext |
 * tag(16)}. The recipient knows the omitted members and rebuilds the standard JWS.
 *
 * @param flags the first octet
 * @param shortSeq the low 16 bits of the sequence number
 * @param shortAck the low 16 bits of the acknowledged command's number, or {@link
 *     ProtectedHeader#ABSENT}
 * @param payload SenML; the ciphertext and tag when encrypted
 * @param signature empty when encrypted
 */
public record CompactUpdate(
    int flags, int shortSeq, long shortAck, byte[] payload, byte[] signature) {
  private static final int ALGORITHM = 0x03;
  private static final int CBOR = 0x04;
  private static final int ACK = 0x08;
  private static final int ENCRYPTED = 0x10;
  private static final int KEY_NUMBER = 0xe0;
  private static final byte[] NONE = {};

  /**
   * @throws SignedObjectException when the update is malformed
   */
  public static CompactUpdate parse(byte[] octets) {
    WireReader in = new WireReader(octets);
    int flags = in.u8();
    if ((flags & ALGORITHM) == ALGORITHM) {
      throw SignedObjectException.malformed("the algorithm value 3 is reserved");
    }
    int shortSeq = in.u16();
    if ((flags & ENCRYPTED) != 0) {
      return new CompactUpdate(flags, shortSeq, ProtectedHeader.ABSENT, in.rest(), NONE);
    }
    if ((flags & KEY_NUMBER) != 0) {
      throw SignedObjectException.malformed("key number without encryption");
    }
    return signed(flags, shortSeq, in);
  }

  /**
   * The signed form of an encrypted update.
   *
   * @param plain the plaintext: {@code [ack(2)] payload signature}
   */
  public CompactUpdate decrypted(byte[] plain) {
    return signed(flags, shortSeq, new WireReader(plain));
  }

  private static CompactUpdate signed(int flags, int shortSeq, WireReader in) {
    long shortAck = (flags & ACK) != 0 ? in.u16() : ProtectedHeader.ABSENT;
    int length = algorithm(flags).signatureLength();
    byte[] payload = in.octets(in.remaining() - length);
    return new CompactUpdate(flags, shortSeq, shortAck, payload, in.rest());
  }

  public boolean encrypted() {
    return (flags & ENCRYPTED) != 0;
  }

  public int keyNumber() {
    return flags >> 5;
  }

  public SignatureAlgorithm algorithm() {
    return algorithm(flags);
  }

  public String contentType() {
    return (flags & CBOR) != 0 ? "application/senml+cbor" : "application/senml+json";
  }

  private static SignatureAlgorithm algorithm(int flags) {
    return SignatureAlgorithm.values()[flags & ALGORITHM];
  }

  /**
   * The standard JWS, which the endpoint signed: members in exactly this order, without white
   * space, {@code ack} only when present.
   *
   * @param ack the full number of the acknowledged command, or {@link ProtectedHeader#ABSENT}
   */
  public Jws toJws(String kid, String res, long seq, long ack) {
    StringBuilder header = new StringBuilder(192);
    header.append("{\"alg\":\"").append(algorithm().jose());
    header.append("\",\"cty\":\"").append(contentType());
    header.append("\",\"kid\":\"").append(kid);
    header.append("\",\"res\":\"").append(res);
    header.append("\",\"seq\":").append(seq);
    if (ack != ProtectedHeader.ABSENT) {
      header.append(",\"ack\":").append(ack);
    }
    String text = header.append('}').toString();
    byte[] octets = Jws.assemble(text, payload, signature);
    int signedLength = octets.length - 1 - (signature.length * 4 + 2) / 3;
    assert octets[signedLength] == '.';
    return new Jws(
        octets,
        signedLength,
        ProtectedHeader.ofUpdate(algorithm(), contentType(), kid, res, seq, ack),
        payload,
        signature);
  }
}
