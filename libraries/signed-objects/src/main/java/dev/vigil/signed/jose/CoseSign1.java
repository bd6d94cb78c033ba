package dev.vigil.signed.jose;

import dev.vigil.signed.Fault;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.cbor.CborReader;
import dev.vigil.signed.cbor.CborWriter;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.wire.WireReader;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * COSE_Sign1 (RFC 9052 section 4.2), parsed but not verified. Its protected header becomes the same
 * {@link ProtectedHeader} as that of a JWS.
 *
 * @param octets the whole object as received
 * @param signedOctets the Sig_structure (RFC 9052 section 4.4)
 */
public record CoseSign1(
    byte[] octets, byte[] signedOctets, ProtectedHeader header, byte[] payload, byte[] signature)
    implements SignedObject {

  public static final String SENML_CBOR = "application/senml+cbor";
  private static final long TAG = 18;
  private static final long SENML_CBOR_NUMBER = 112;
  private static final byte[] NO_EXTERNAL = {};

  /**
   * Parses a signed update. The external data must be empty; the unprotected header is ignored.
   *
   * @throws SignedObjectException when the object is malformed or outside the profile
   */
  public static CoseSign1 parse(byte[] octets) {
    CborReader cbor = new CborReader(new WireReader(octets));
    if (cbor.next() == CborReader.Kind.TAG && cbor.tag() != TAG) {
      throw SignedObjectException.malformed("not tagged as COSE_Sign1");
    }
    if (cbor.array() != 4) {
      throw SignedObjectException.malformed("COSE_Sign1 has four parts");
    }
    byte[] headerOctets = cbor.octets();
    if (cbor.next() != CborReader.Kind.MAP) {
      throw SignedObjectException.malformed("the unprotected header is not a map");
    }
    cbor.skip();
    byte[] payload = cbor.octets();
    byte[] signature = cbor.octets();
    cbor.end();
    ProtectedHeader header = new HeaderParser(headerOctets).header();
    if (signature.length != header.algorithm().signatureLength()) {
      throw new SignedObjectException(Fault.BAD_SIGNATURE, "the signature has the wrong length");
    }
    byte[] signed = sigStructure(headerOctets, NO_EXTERNAL, payload);
    return new CoseSign1(octets, signed, header, payload, signature);
  }

  @Override
  public int signedLength() {
    return signedOctets.length;
  }

  /** Signs a payload with a local key; returns the tagged object. */
  public static byte[] sign(LocalKeyPair key, byte[] payload, byte[] external) {
    byte[] header =
        new CborWriter()
            .map(2)
            .integer(1)
            .integer(key.jwk().algorithm().cose())
            .integer(4)
            .octets(key.jwk().thumbprintOctets())
            .toOctets();
    byte[] signature = key.sign(sigStructure(header, external, payload));
    return new CborWriter()
        .tag(TAG)
        .array(4)
        .octets(header)
        .map(0)
        .octets(payload)
        .octets(signature)
        .toOctets();
  }

  static byte[] sigStructure(byte[] header, byte[] external, byte[] payload) {
    return new CborWriter()
        .array(4)
        .text("Signature1")
        .octets(header)
        .octets(external)
        .octets(payload)
        .toOctets();
  }

  /** A P-256 public key as COSE_Key (RFC 9052 section 7). */
  public static byte[] key(Jwk key) {
    return new CborWriter()
        .map(4)
        .integer(1)
        .integer(2)
        .integer(-1)
        .integer(key.algorithm().coseCurve())
        .integer(-2)
        .octets(key.x())
        .integer(-3)
        .octets(key.y())
        .toOctets();
  }

  /** Parses the protected header, members in any order. */
  private static final class HeaderParser {
    private @Nullable SignatureAlgorithm algorithm;
    private @Nullable String cty;
    private @Nullable String kid;
    private @Nullable String res;
    private long seq = ProtectedHeader.ABSENT;
    private long ack = ProtectedHeader.ABSENT;

    HeaderParser(byte[] octets) {
      CborReader cbor = new CborReader(new WireReader(octets));
      cbor.map(
          key -> {
            switch (key) {
              case CborReader.IntKey(long label) -> readLabelled(label, cbor);
              case CborReader.TextKey(String name) -> readNamed(name, cbor);
            }
          });
      cbor.end();
    }

    private void readLabelled(long label, CborReader cbor) {
      if (label == 1) {
        algorithm = SignatureAlgorithm.ofCose(cbor.integer());
      } else if (label == 2) {
        throw new SignedObjectException(
            Fault.FORBIDDEN_MEMBER, "header member crit is not allowed");
      } else if (label == 3) {
        if (cbor.unsigned() != SENML_CBOR_NUMBER) {
          throw SignedObjectException.malformed("the content type is not senml+cbor");
        }
        cty = SENML_CBOR;
      } else if (label == 4) {
        kid = Base64.getUrlEncoder().withoutPadding().encodeToString(cbor.octets());
      } else if (label >= 32 && label <= 35) {
        throw new SignedObjectException(Fault.FORBIDDEN_MEMBER, "header member x5 is not allowed");
      } else {
        cbor.skip();
      }
    }

    private void readNamed(String name, CborReader cbor) {
      switch (name) {
        case "res" -> res = cbor.text();
        case "seq" -> seq = sequence(cbor);
        case "ack" -> ack = sequence(cbor);
        default -> cbor.skip();
      }
    }

    private static long sequence(CborReader cbor) {
      long number = cbor.unsigned();
      if (number > JsonReader.MAX_INTEGER) {
        throw SignedObjectException.malformed("a sequence number is at most 2^53-1");
      }
      return number;
    }

    ProtectedHeader header() {
      SignatureAlgorithm alg = algorithm;
      if (alg == null) {
        throw SignedObjectException.malformed("the header has no alg");
      }
      return ProtectedHeader.ofUpdate(alg, cty, kid, res, seq, ack);
    }
  }
}
