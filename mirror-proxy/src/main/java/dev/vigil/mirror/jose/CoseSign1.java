package dev.vigil.mirror.jose;

import dev.vigil.mirror.wire.CborReader;
import dev.vigil.mirror.wire.CborWriter;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * COSE_Sign1 (RFC 9052 section 4.2), parsed and not yet verified. Its protected header is read into
 * the same {@link Header} as that of a JWS.
 *
 * @param octets the whole of it as received
 * @param signedOctets the Sig_structure
 */
public record CoseSign1(
    byte[] octets, byte[] signedOctets, Header header, byte[] payload, byte[] signature)
    implements Signed {

  public static final String SENML_CBOR = "application/senml+cbor";
  private static final long TAG = 18;
  private static final long SENML_CBOR_NUMBER = 112;
  private static final byte[] NO_EXTERNAL = {};

  /**
   * Reads a signed update; the external data are empty, the unprotected header means nothing.
   *
   * @throws Rejection 4.00
   */
  public static CoseSign1 parse(byte[] octets) {
    CborReader cbor = new CborReader(new WireReader(octets));
    if (cbor.next() == CborReader.Kind.TAG && cbor.tag() != TAG) {
      throw Rejection.malformed("not tagged as COSE_Sign1");
    }
    if (cbor.array() != 4) {
      throw Rejection.malformed("COSE_Sign1 has four parts");
    }
    byte[] headerOctets = cbor.octets();
    if (cbor.next() != CborReader.Kind.MAP) {
      throw Rejection.malformed("the unprotected header is no map");
    }
    cbor.skip();
    byte[] payload = cbor.octets();
    byte[] signature = cbor.octets();
    cbor.end();
    Header header = new ProtectedMap(headerOctets).header();
    if (signature.length != header.algorithm().signatureLength()) {
      throw new Rejection(Reason.BAD_SIGNATURE, "the signature has the wrong length");
    }
    byte[] signed = sigStructure(headerOctets, NO_EXTERNAL, payload);
    return new CoseSign1(octets, signed, header, payload, signature);
  }

  @Override
  public int signedLength() {
    return signedOctets.length;
  }

  /** Signs a payload by a key of our own; the octets, tagged. */
  public static byte[] sign(OwnKey key, byte[] payload, byte[] external) {
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

  /** A public key as COSE_Key (RFC 9052 section 7), of P-256. */
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

  /** The members of the protected header as they come, in any order. */
  private static final class ProtectedMap {
    private @Nullable Algorithm algorithm;
    private @Nullable String cty;
    private @Nullable String kid;
    private @Nullable String res;
    private long seq = Header.ABSENT;
    private long ack = Header.ABSENT;

    ProtectedMap(byte[] octets) {
      CborReader cbor = new CborReader(new WireReader(octets));
      cbor.map(
          key -> {
            switch (key) {
              case CborReader.IntKey(long label) -> labelled(label, cbor);
              case CborReader.TextKey(String name) -> named(name, cbor);
            }
          });
      cbor.end();
    }

    private void labelled(long label, CborReader cbor) {
      if (label == 1) {
        algorithm = Algorithm.ofCose(cbor.integer());
      } else if (label == 2) {
        throw new Rejection(Reason.FORBIDDEN_MEMBER, "header member crit is not allowed");
      } else if (label == 3) {
        if (cbor.unsigned() != SENML_CBOR_NUMBER) {
          throw Rejection.malformed("the content type is not senml+cbor");
        }
        cty = SENML_CBOR;
      } else if (label == 4) {
        kid = Base64.getUrlEncoder().withoutPadding().encodeToString(cbor.octets());
      } else if (label >= 32 && label <= 35) {
        throw new Rejection(Reason.FORBIDDEN_MEMBER, "header member x5 is not allowed");
      } else {
        cbor.skip();
      }
    }

    private void named(String name, CborReader cbor) {
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
        throw Rejection.malformed("a sequence number is at most 2^53-1");
      }
      return number;
    }

    Header header() {
      Algorithm alg = algorithm;
      if (alg == null) {
        throw Rejection.malformed("the header has no alg");
      }
      return Header.ofUpdate(alg, cty, kid, res, seq, ack);
    }
  }
}
