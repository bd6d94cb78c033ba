package dev.vigil.gateway.webpush;

import dev.vigil.gateway.store.SharedSecrets;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.signed.jose.SignatureAlgorithm;
import dev.vigil.signed.json.JsonWriter;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.EllipticCurve;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.KeyAgreement;

/**
 * The key with which the gateway shows push services that it may send to a subscription (VAPID, RFC
 * 8292). It is derived from the identity key, so it survives a restart and a restoration, and every
 * gateway of a cluster has it.
 */
public final class VapidKey {
  private static final ECParameterSpec P256 = parameters();
  private static final BigInteger FIELD = ((ECFieldFp) P256.getCurve().getField()).getP();
  private static final int COORDINATE = 32;
  private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();
  private static final Duration VALIDITY = Duration.ofHours(12);

  private final LocalKeyPair pair;

  private VapidKey(LocalKeyPair pair) {
    this.pair = pair;
  }

  public static VapidKey of(SharedSecrets secrets) {
    // Twice as many bits as the order of the curve has, so that the remainder is not biased.
    byte[] octets =
        ByteBuffer.allocate(64)
            .put(secrets.derive("web push, first half"))
            .put(secrets.derive("web push, second half"))
            .array();
    BigInteger most = P256.getOrder().subtract(BigInteger.ONE);
    return new VapidKey(pair(new BigInteger(1, octets).mod(most).add(BigInteger.ONE)));
  }

  /**
   * @param scalar the private key
   */
  static LocalKeyPair pair(BigInteger scalar) {
    try {
      KeyFactory keys = KeyFactory.getInstance("EC", "SunEC");
      PrivateKey secret = keys.generatePrivate(new ECPrivateKeySpec(scalar, P256));
      // The JDK makes no public key of a private one, but an agreement with the generator has the
      // same x. Of the two points with this x, one belongs to the private key.
      KeyAgreement agreement = KeyAgreement.getInstance("ECDH", "SunEC");
      agreement.init(secret);
      agreement.doPhase(keys.generatePublic(new ECPublicKeySpec(P256.getGenerator(), P256)), true);
      BigInteger x = new BigInteger(1, agreement.generateSecret());
      BigInteger y = root(x);
      try {
        return LocalKeyPair.restore(secret, jwk(x, y));
      } catch (SignedObjectException e) {
        return LocalKeyPair.restore(secret, jwk(x, FIELD.subtract(y)));
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK lacks P-256", e);
    }
  }

  /** A y of the point with this x; the power is a square root because p is 3 modulo 4. */
  private static BigInteger root(BigInteger x) {
    EllipticCurve curve = P256.getCurve();
    BigInteger square = x.multiply(x).add(curve.getA()).multiply(x).add(curve.getB());
    return square.modPow(FIELD.add(BigInteger.ONE).shiftRight(2), FIELD);
  }

  private static Jwk jwk(BigInteger x, BigInteger y) {
    byte[] point = new byte[2 * COORDINATE];
    put(x, point, COORDINATE);
    put(y, point, 2 * COORDINATE);
    return new Jwk(SignatureAlgorithm.ES256, point);
  }

  private static void put(BigInteger value, byte[] into, int end) {
    byte[] octets = value.toByteArray();
    int length = Math.min(octets.length, COORDINATE);
    System.arraycopy(octets, octets.length - length, into, end - length, length);
  }

  private static ECParameterSpec parameters() {
    try {
      AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC", "SunEC");
      parameters.init(new ECGenParameterSpec("secp256r1"));
      return parameters.getParameterSpec(ECParameterSpec.class);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK lacks P-256", e);
    }
  }

  /** The public key as browsers take it: an uncompressed point in base64url. */
  public String publicKey() {
    return BASE64URL.encodeToString(BrowserKeys.uncompressed(pair.jwk()));
  }

  /**
   * The header {@code Authorization} of a message.
   *
   * @param address of the subscription
   * @param contact of the operator
   */
  String authorization(URI address, String contact, Instant now) {
    String origin = address.getScheme() + "://" + address.getRawAuthority();
    String header =
        new JsonWriter()
            .open('{')
            .member("typ", "JWT")
            .member("alg", "ES256")
            .close('}')
            .toString();
    String claims =
        new JsonWriter()
            .open('{')
            .member("aud", origin)
            .member("exp", now.plus(VALIDITY).getEpochSecond())
            .member("sub", contact)
            .close('}')
            .toString();
    String signed = encoded(header) + "." + encoded(claims);
    byte[] signature = pair.sign(signed.getBytes(StandardCharsets.US_ASCII));
    return "vapid t=%s.%s, k=%s"
        .formatted(signed, BASE64URL.encodeToString(signature), publicKey());
  }

  private static String encoded(String json) {
    return BASE64URL.encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}
