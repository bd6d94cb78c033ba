package dev.vigil.signed.jose;

import dev.vigil.signed.cbor.CborWriter;
import dev.vigil.signed.wire.WireWriter;
import java.security.GeneralSecurityException;
import java.util.Arrays;

/** Signs objects of each form, as endpoints and commanders do. */
public final class TestSigner {
  private final LocalKeyPair key;

  public TestSigner(SignatureAlgorithm algorithm) {
    try {
      key = LocalKeyPair.generate(algorithm);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public TestSigner() {
    this(SignatureAlgorithm.ES256);
  }

  public Jwk jwk() {
    return key.jwk();
  }

  public LocalKeyPair key() {
    return key;
  }

  public String jkt() {
    return key.jwk().thumbprint();
  }

  /** A JWS with exactly this header text. */
  public byte[] jws(String header, byte[] payload) {
    return Jws.assemble(header, payload, key.sign(Jws.signingInput(header, payload)));
  }

  /** The header that the compact form of an update implies. */
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

  /** The plaintext of an encrypted compact update: {@code payload signature}. */
  public byte[] compactPlain(boolean cbor, String res, long seq, byte[] payload) {
    byte[] whole = compact(cbor, res, seq, -1, payload);
    return Arrays.copyOfRange(whole, 3, whole.length);
  }

  /** An update as COSE_Sign1. */
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
