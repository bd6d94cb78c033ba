package dev.vigil.gateway.webpush;

import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.SignatureAlgorithm;
import java.util.Arrays;
import java.util.Base64;

/**
 * The keys with which a browser opens its messages (RFC 8291 section 3).
 *
 * @param key its public key, a point of P-256
 * @param auth its secret, 16 octets
 */
public record BrowserKeys(Jwk key, byte[] auth) {
  private static final int AUTH_OCTETS = 16;
  private static final byte UNCOMPRESSED = 4;

  /**
   * @param p256dh the public key in base64url
   * @param auth the secret in base64url
   * @throws IllegalArgumentException if they are no such keys
   */
  public static BrowserKeys of(String p256dh, String auth) {
    byte[] point = Base64.getUrlDecoder().decode(p256dh);
    byte[] secret = Base64.getUrlDecoder().decode(auth);
    if (point.length == 0 || point[0] != UNCOMPRESSED || secret.length != AUTH_OCTETS) {
      throw new IllegalArgumentException("no keys of a browser");
    }
    try {
      byte[] both = Arrays.copyOfRange(point, 1, point.length);
      return new BrowserKeys(new Jwk(SignatureAlgorithm.ES256, both), secret);
    } catch (SignedObjectException e) {
      throw new IllegalArgumentException("no point of P-256", e);
    }
  }

  /** The form of section 2.3.3 of SEC 1. */
  static byte[] uncompressed(Jwk key) {
    byte[] octets = new byte[1 + key.point().length];
    octets[0] = UNCOMPRESSED;
    System.arraycopy(key.point(), 0, octets, 1, key.point().length);
    return octets;
  }

  @Override
  public String toString() {
    return "BrowserKeys[not shown]";
  }
}
