package dev.vigil.mirror.jose;

import dev.vigil.mirror.wire.CborWriter;
import dev.vigil.mirror.wire.WireWriter;
import java.security.GeneralSecurityException;

/** Makes what endpoints and commanders make: signed objects of each form. */
public final class Signer {
  private final OwnKey key;

  public Signer(Algorithm algorithm) {
    try {
      key = OwnKey.generate(algorithm);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public Signer() {
    this(Algorithm.ES256);
  }

  public Jwk jwk() {
    return key.jwk();
  }

  public OwnKey key() {
    return key;
  }

  public String jkt() {
    return key.jwk().thumbprint();
  }

  /** A JWS under a header that stands as it is. */
  public byte[] jws(String header, byte[] payload) {
    return Jws.assemble(header, payload, key.sign(Jws.signingInput(header, payload)));
  }

  /** The header of an update as the compact form implies it. */
  public String header(String cty, String res, long seq, long ack) {
    return "{\"alg\":\"%s\",\"cty\":\"%s\",\"kid\":\"%s\",\"res\":\"%s\",\"seq\":%d%s}"
        .formatted(
            key.jwk().algorithm().jose(), cty, jkt(), res, seq, ack < 0 ? "" : ",\"ack\":" + ack);
  }

  /** {@code flags | seq | [ack] | payload | signature}. */
  public byte[] compact(boolean cbor, String res, long seq, long ack, byte[] payload) {
    String cty = cbor ? "application/senml+cbor" : "application/senml+json";
    byte[] signature = key.sign(Jws.signingInput(header(cty, res, seq, ack), payload));
    WireWriter out = new WireWriter();
    out.u8(key.jwk().algorithm().ordinal() | (cbor ? 4 : 0) | (ack < 0 ? 0 : 8));
    out.u16((int) seq & 0xffff);
    if (ack >= 0) {
      out.u16((int) ack & 0xffff);
    }
    return out.octets(payload).octets(signature).toOctets();
  }

  /** What is encrypted of a compact update: {@code [ack] payload signature}. */
  public byte[] compactPlain(boolean cbor, String res, long seq, byte[] payload) {
    byte[] whole = compact(cbor, res, seq, -1, payload);
    return java.util.Arrays.copyOfRange(whole, 3, whole.length);
  }

  /** COSE_Sign1 of an update. */
  public byte[] cose(String res, long seq, byte[] payload) {
    byte[] header =
        new CborWriter()
            .map(5)
            .integer(1)
            .integer(key.jwk().algorithm().cose())
            .integer(3)
            .integer(112)
            .integer(4)
            .octets(key.jwk().thumbprintOctets())
            .text("res")
            .text(res)
            .text("seq")
            .integer(seq)
            .toOctets();
    byte[] signature = key.sign(CoseSign1.sigStructure(header, new byte[0], payload));
    return new CborWriter()
        .tag(18)
        .array(4)
        .octets(header)
        .map(0)
        .octets(payload)
        .octets(signature)
        .toOctets();
  }
}
