package dev.vigil.gateway.webpush;

import dev.vigil.gateway.store.SharedSecrets;
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
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;

/**
 * The key with which the gateway shows push services that it may send to a subscription (VAPID, RFC
 * 8292). It is derived from the identity key, so it survives a restart and a restoration, and every
 * gateway of a cluster has it.
 */
public final class VapidKey {
  private static final X9ECParameters P256 = CustomNamedCurves.getByName("P-256");
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
    BigInteger most = P256.getN().subtract(BigInteger.ONE);
    return new VapidKey(pair(new BigInteger(1, octets).mod(most).add(BigInteger.ONE)));
  }

  /**
   * @param scalar the private key
   */
  static LocalKeyPair pair(BigInteger scalar) {
    byte[] point = P256.getG().multiply(scalar).normalize().getEncoded(false);
    try {
      AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC", "SunEC");
      parameters.init(new ECGenParameterSpec("secp256r1"));
      PrivateKey secret =
          KeyFactory.getInstance("EC", "SunEC")
              .generatePrivate(
                  new ECPrivateKeySpec(
                      scalar, parameters.getParameterSpec(ECParameterSpec.class)));
      return LocalKeyPair.restore(
          secret,
          new Jwk(SignatureAlgorithm.ES256, Arrays.copyOfRange(point, 1, point.length)));
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
    String header = new JsonWriter().open('{').member("typ", "JWT").member("alg", "ES256").close('}').toString();
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
