package dev.vigil.mirror;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.mirror.jose.CoseSign1;
import dev.vigil.mirror.jose.Header;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.Signed;
import dev.vigil.mirror.senml.Pack;
import dev.vigil.mirror.wire.WireReader;
import dev.vigil.mirror.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An accepted update as the store and the memory hold it.
 *
 * <p>The body is one JSON object an operator can read. The JWS stands first in it, as it is, and
 * has no character that JSON would escape, so that it is served from there without parsing.
 *
 * @param path of the resource, percent-encoded
 * @param seq its sequence number
 * @param arrived unix time, milliseconds
 */
record StoredValue(String path, long seq, long arrived, byte[] body) {
  private static final byte[] JWS_START = "{\"jws\":\"".getBytes(StandardCharsets.US_ASCII);

  /** The body of a value that came as JWS, or was rebuilt as one. */
  static byte[] bodyOf(Jws jws, boolean delayed) {
    int length = JWS_START.length + jws.octets().length + 1 + end(delayed).length();
    WireWriter out = new WireWriter(length).octets(JWS_START).octets(jws.octets()).u8('"');
    return out.text(end(delayed)).toOctets();
  }

  /** The body of a value that came as COSE. */
  static byte[] bodyOf(CoseSign1 cose, boolean delayed) {
    WireWriter out = new WireWriter().text("{\"cose\":\"").base64url(cose.octets()).u8('"');
    return out.text(end(delayed)).toOctets();
  }

  private static String end(boolean delayed) {
    return delayed ? ",\"delayed\":true}" : "}";
  }

  /** The form in which it came: JOSE or COSE_SIGN1. */
  ContentFormat format() {
    return Arrays.equals(body, 0, JWS_START.length, JWS_START, 0, JWS_START.length)
        ? ContentFormat.JOSE
        : ContentFormat.COSE_SIGN1;
  }

  boolean delayed() {
    return body[body.length - 2] == 'e';
  }

  /** What the endpoint signed, with its signature. */
  byte[] signed() {
    WireReader in = new WireReader(body);
    if (format() == ContentFormat.JOSE) {
      in.skip(JWS_START.length);
      return in.octets(in.distanceTo('"'));
    }
    in.skip("{\"cose\":\"".length());
    return in.base64url(in.distanceTo('"'));
  }

  private Signed parsed() {
    return format() == ContentFormat.JOSE ? Jws.parse(signed()) : CoseSign1.parse(signed());
  }

  private Header header() {
    return parsed().header();
  }

  /** The verified payload, as it was signed. */
  byte[] payload() {
    return parsed().payload();
  }

  /** The format of {@link #payload()}. */
  ContentFormat payloadFormat() {
    return CoseSign1.SENML_CBOR.equals(header().cty())
        ? ContentFormat.SENML_CBOR
        : ContentFormat.SENML_JSON;
  }

  Pack pack() {
    return payloadFormat() == ContentFormat.SENML_CBOR
        ? Pack.readCbor(payload())
        : Pack.readJson(payload());
  }

  /** The thumbprint of the key that signed it. */
  String kid() {
    String kid = header().kid();
    return kid == null ? "" : kid;
  }
}
