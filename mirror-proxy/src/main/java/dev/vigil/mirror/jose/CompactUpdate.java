package dev.vigil.mirror.jose;

import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;

/**
 * The compact signed update (65102): {@code flags | seq(2) | [ack(2)] | payload | signature}, or
 * encrypted {@code flags | seq(2) | ciphertext | tag(16)}. What it leaves out the mirror knows:
 * from both results a standard JWS.
 *
 * @param flags the first octet as it stands
 * @param shortSeq the low 16 bits of the sequence number
 * @param shortAck the low 16 bits of the acknowledged command's number, or {@link Header#ABSENT}
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
   * @throws Rejection 4.00
   */
  public static CompactUpdate parse(byte[] octets) {
    WireReader in = new WireReader(octets);
    int flags = in.u8();
    if ((flags & ALGORITHM) == ALGORITHM) {
      throw Rejection.malformed("alg bits 3 mean nothing");
    }
    int shortSeq = in.u16();
    if ((flags & ENCRYPTED) != 0) {
      return new CompactUpdate(flags, shortSeq, Header.ABSENT, in.rest(), NONE);
    }
    if ((flags & KEY_NUMBER) != 0) {
      throw Rejection.malformed("a key number without encryption");
    }
    return signed(flags, shortSeq, in);
  }

  /** What was encrypted: {@code [ack(2)] payload signature}. */
  public CompactUpdate decrypted(byte[] plain) {
    return signed(flags, shortSeq, new WireReader(plain));
  }

  private static CompactUpdate signed(int flags, int shortSeq, WireReader in) {
    long shortAck = (flags & ACK) != 0 ? in.u16() : Header.ABSENT;
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

  public Algorithm algorithm() {
    return algorithm(flags);
  }

  public String contentType() {
    return (flags & CBOR) != 0 ? "application/senml+cbor" : "application/senml+json";
  }

  private static Algorithm algorithm(int flags) {
    return Algorithm.values()[flags & ALGORITHM];
  }

  /**
   * The standard JWS: members in exactly this order, without white space, {@code ack} only when
   * present. This is what the endpoint signed.
   *
   * @param ack the full number of the acknowledged command, or {@link Header#ABSENT}
   */
  public Jws toJws(String kid, String res, long seq, long ack) {
    StringBuilder header = new StringBuilder(192);
    header.append("{\"alg\":\"").append(algorithm().jose());
    header.append("\",\"cty\":\"").append(contentType());
    header.append("\",\"kid\":\"").append(kid);
    header.append("\",\"res\":\"").append(res);
    header.append("\",\"seq\":").append(seq);
    if (ack != Header.ABSENT) {
      header.append(",\"ack\":").append(ack);
    }
    String text = header.append('}').toString();
    byte[] octets = Jws.assemble(text, payload, signature);
    int signedLength = octets.length - 1 - (signature.length * 4 + 2) / 3;
    assert octets[signedLength] == '.';
    return new Jws(
        octets,
        signedLength,
        Header.ofUpdate(algorithm(), contentType(), kid, res, seq, ack),
        payload,
        signature);
  }
}
