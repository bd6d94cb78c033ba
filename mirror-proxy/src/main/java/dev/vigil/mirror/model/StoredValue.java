package dev.vigil.mirror.model;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.signed.jose.CoseSign1;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.ProtectedHeader;
import dev.vigil.signed.jose.SignedObject;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.wire.WireReader;
import dev.vigil.signed.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An accepted update as the store and the mirror's state hold it.
 *
 * <p>The body is one JSON object. A JWS is its first member and contains no character that JSON
 * escapes. It is therefore served from the body without parsing.
 *
 * @param path of the resource, percent-encoded
 * @param seq the sequence number
 * @param arrived unix time in milliseconds
 */
public record StoredValue(String path, long seq, long arrived, byte[] body) {
  private static final byte[] JWS_START = "{\"jws\":\"".getBytes(StandardCharsets.US_ASCII);

  /** The body of a value that arrived as a JWS or was rebuilt as a JWS. */
  public static byte[] bodyOf(Jws jws, boolean delayed) {
    int length = JWS_START.length + jws.octets().length + 1 + bodyEnd(delayed).length();
    WireWriter out = new WireWriter(length).octets(JWS_START).octets(jws.octets()).u8('"');
    return out.text(bodyEnd(delayed)).toOctets();
  }

  /** The body of a value that arrived as COSE_Sign1. */
  public static byte[] bodyOf(CoseSign1 cose, boolean delayed) {
    WireWriter out = new WireWriter().text("{\"cose\":\"").base64url(cose.octets()).u8('"');
    return out.text(bodyEnd(delayed)).toOctets();
  }

  private static String bodyEnd(boolean delayed) {
    return delayed ? ",\"delayed\":true}" : "}";
  }

  /** The form of the signed object: JOSE or COSE_SIGN1. */
  public ContentFormat format() {
    return Arrays.equals(body, 0, JWS_START.length, JWS_START, 0, JWS_START.length)
        ? ContentFormat.JOSE
        : ContentFormat.COSE_SIGN1;
  }

  /** Whether the measurement was older than the domain's max-delay when it arrived. */
  public boolean delayed() {
    // Only a body that ends in "delayed":true} has an e before the brace.
    return body[body.length - 2] == 'e';
  }

  /** The JWS or COSE_Sign1 as the endpoint signed it. */
  public byte[] signed() {
    WireReader in = new WireReader(body);
    if (format() == ContentFormat.JOSE) {
      in.skip(JWS_START.length);
      return in.octets(in.distanceTo('"'));
    }
    in.skip("{\"cose\":\"".length());
    return in.base64url(in.distanceTo('"'));
  }

  private SignedObject parsed() {
    return format() == ContentFormat.JOSE ? Jws.parse(signed()) : CoseSign1.parse(signed());
  }

  private ProtectedHeader header() {
    return parsed().header();
  }

  /** The payload of the signed object. */
  public byte[] payload() {
    return parsed().payload();
  }

  /** The format of {@link #payload()}. */
  public ContentFormat payloadFormat() {
    return CoseSign1.SENML_CBOR.equals(header().cty())
        ? ContentFormat.SENML_CBOR
        : ContentFormat.SENML_JSON;
  }

  public SenmlPack pack() {
    return contents().pack();
  }

  /** The thumbprint of the signing key. */
  public String kid() {
    return kid(header());
  }

  private static String kid(ProtectedHeader header) {
    String kid = header.kid();
    return kid == null ? "" : kid;
  }

  /** The thumbprint of the signing key and the measurements, read together. */
  public Contents contents() {
    SignedObject object = parsed();
    ProtectedHeader header = object.header();
    SenmlPack pack =
        CoseSign1.SENML_CBOR.equals(header.cty())
            ? SenmlPack.readCbor(object.payload())
            : SenmlPack.readJson(object.payload());
    return new Contents(kid(header), pack);
  }

  /** The contents of the signed object. */
  public record Contents(String kid, SenmlPack pack) {}
}
