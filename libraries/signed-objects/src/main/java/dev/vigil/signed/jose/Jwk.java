package dev.vigil.signed.jose;

import dev.vigil.signed.Fault;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Security;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A public key of the profile.
 *
 * @param algorithm the signature algorithm, which also determines the curve
 * @param point x then y for a key on a NIST curve (big-endian, full length), the 32 octets of RFC
 *     8032 for Ed25519; must not be changed
 */
public record Jwk(SignatureAlgorithm algorithm, byte[] point) {
  private static final Set<String> PRIVATE = Set.of("d", "k", "p", "q", "dp", "dq", "qi", "oth");
  private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

  public Jwk {
    CurvePoints.requireOnCurve(algorithm, point);
  }

  /**
   * Reads a JWK; nothing may follow it.
   *
   * @throws SignedObjectException 4.00; also for a private member, because a key that was sent is
   *     no longer private
   */
  public static Jwk parse(byte[] octets) {
    JsonReader json = new JsonReader(new WireReader(octets));
    Jwk key = read(json);
    json.end();
    return key;
  }

  /** Reads a JWK that is part of a larger document. */
  public static Jwk read(JsonReader json) {
    Map<String, String> members = new HashMap<>();
    json.object(
        name -> {
          requirePublic(name);
          if (json.next() == JsonReader.Kind.STRING) {
            members.put(name, json.string());
          } else {
            json.skip();
          }
        });
    String curve = members.getOrDefault("crv", "");
    for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
      if (algorithm.curve().equals(curve) && algorithm.keyType().equals(members.get("kty"))) {
        if (!algorithm.jose().equals(members.getOrDefault("alg", algorithm.jose()))) {
          throw SignedObjectException.malformed("alg of the JWK does not match its curve");
        }
        return new Jwk(algorithm, point(algorithm, members));
      }
    }
    throw SignedObjectException.malformed("the JWK is not of P-256, P-384 or Ed25519");
  }

  /**
   * @param member the name of a member of a JWK
   * @throws SignedObjectException if only private and secret keys have this member (RFC 7518
   *     section 6)
   */
  public static void requirePublic(String member) {
    if (PRIVATE.contains(member)) {
      throw new SignedObjectException(
          Fault.FORBIDDEN_MEMBER, "the JWK holds a private or secret key; make a new one");
    }
  }

  private static byte[] point(SignatureAlgorithm algorithm, Map<String, String> members) {
    byte[] x = coordinate(algorithm, members, "x");
    if (algorithm == SignatureAlgorithm.EDDSA) {
      return x;
    }
    byte[] y = coordinate(algorithm, members, "y");
    byte[] point = Arrays.copyOf(x, x.length + y.length);
    System.arraycopy(y, 0, point, x.length, y.length);
    return point;
  }

  private static byte[] coordinate(
      SignatureAlgorithm algorithm, Map<String, String> members, String name) {
    byte[] text = members.getOrDefault(name, "").getBytes(StandardCharsets.UTF_8);
    byte[] octets = new WireReader(text).base64url(text.length);
    if (octets.length != algorithm.coordinateLength()) {
      throw SignedObjectException.malformed(
          "coordinate " + name + " of the JWK has the wrong length");
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

  /**
   * The key as a JDK object.
   *
   * @throws GeneralSecurityException if the 32 octets of Ed25519 are not a point of the curve
   */
  public PublicKey publicKey() throws GeneralSecurityException {
    return SignatureVerifier.publicKey(this, Security.getProvider("SunEC"));
  }

  /** Only the required members, in lexical order (RFC 7638 section 3). */
  public String json() {
    StringBuilder text = new StringBuilder(160);
    text.append("{\"crv\":\"").append(algorithm.curve());
    text.append("\",\"kty\":\"").append(algorithm.keyType());
    text.append("\",\"x\":\"").append(BASE64URL.encodeToString(x()));
    if (algorithm != SignatureAlgorithm.EDDSA) {
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
