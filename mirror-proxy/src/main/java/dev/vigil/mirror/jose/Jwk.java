package dev.vigil.mirror.jose;

import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A public key of the profile.
 *
 * @param algorithm what it signs with, which also names the curve
 * @param point x then y for a key on a NIST curve (big-endian, full length), the 32 octets of RFC
 *     8032 for Ed25519; never changed by anyone
 */
public record Jwk(Algorithm algorithm, byte[] point) {
  private static final Set<String> PRIVATE = Set.of("d", "k", "p", "q", "dp", "dq", "qi", "oth");
  private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

  public Jwk {
    Curves.requireOnCurve(algorithm, point);
  }

  /**
   * Reads a JWK and nothing after it.
   *
   * @throws Rejection 4.00; a private member above all: a key that was sent is no longer private
   */
  public static Jwk parse(byte[] octets) {
    JsonReader json = new JsonReader(new WireReader(octets));
    Jwk key = read(json);
    json.end();
    return key;
  }

  /** Reads a JWK that is part of something larger. */
  public static Jwk read(JsonReader json) {
    Map<String, String> members = new HashMap<>();
    json.object(
        name -> {
          if (PRIVATE.contains(name)) {
            throw new Rejection(
                Reason.FORBIDDEN_MEMBER, "the JWK holds a private or secret key; make a new one");
          }
          if (json.next() == JsonReader.Kind.STRING) {
            members.put(name, json.string());
          } else {
            json.skip();
          }
        });
    String curve = members.getOrDefault("crv", "");
    for (Algorithm algorithm : Algorithm.values()) {
      if (algorithm.curve().equals(curve) && algorithm.keyType().equals(members.get("kty"))) {
        if (!algorithm.jose().equals(members.getOrDefault("alg", algorithm.jose()))) {
          throw Rejection.malformed("alg of the JWK does not fit its curve");
        }
        return new Jwk(algorithm, point(algorithm, members));
      }
    }
    throw Rejection.malformed("the JWK is not of P-256, P-384 or Ed25519");
  }

  private static byte[] point(Algorithm algorithm, Map<String, String> members) {
    byte[] x = coordinate(algorithm, members, "x");
    if (algorithm == Algorithm.EDDSA) {
      return x;
    }
    byte[] y = coordinate(algorithm, members, "y");
    byte[] point = Arrays.copyOf(x, x.length + y.length);
    System.arraycopy(y, 0, point, x.length, y.length);
    return point;
  }

  private static byte[] coordinate(Algorithm algorithm, Map<String, String> members, String name) {
    byte[] text = members.getOrDefault(name, "").getBytes(StandardCharsets.UTF_8);
    byte[] octets = new WireReader(text).base64url(text.length);
    if (octets.length != algorithm.coordinateLength()) {
      throw Rejection.malformed("coordinate " + name + " of the JWK has the wrong length");
    }
    return octets;
  }

  public byte[] x() {
    return Arrays.copyOf(point, algorithm.coordinateLength());
  }

  /** Empty for Ed25519. */
  public byte[] y() {
    return Arrays.copyOfRange(point, algorithm.coordinateLength(), point.length);
  }

  /** The required members in lexical order and nothing else (RFC 7638 section 3). */
  public String json() {
    StringBuilder text = new StringBuilder(160);
    text.append("{\"crv\":\"").append(algorithm.curve());
    text.append("\",\"kty\":\"").append(algorithm.keyType());
    text.append("\",\"x\":\"").append(BASE64URL.encodeToString(x()));
    if (algorithm != Algorithm.EDDSA) {
      text.append("\",\"y\":\"").append(BASE64URL.encodeToString(y()));
    }
    return text.append("\"}").toString();
  }

  /** The SHA-256 thumbprint (RFC 7638), 32 octets: the {@code kid} of COSE. */
  public byte[] thumbprintOctets() {
    return sha256(json().getBytes(StandardCharsets.UTF_8));
  }

  /** The SHA-256 thumbprint in base64url, 43 characters: JKT. */
  public String thumbprint() {
    return BASE64URL.encodeToString(thumbprintOctets());
  }

  public static byte[] sha256(byte[] octets) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(octets);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Jwk jwk
        && jwk.algorithm == algorithm
        && Arrays.equals(jwk.point, point);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(point);
  }

  @Override
  public String toString() {
    return thumbprint();
  }
}
