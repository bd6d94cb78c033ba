package dev.vigil.gateway.webpush;

import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.signed.json.JsonWriter;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Function;

/**
 * The key with which the gateway shows push services that it may send to a subscription (VAPID, RFC
 * 8292). It is derived from the identity key, so it survives a restart and a restoration, and every
 * gateway of a cluster has it.
 */
public final class VapidKey {
  /** The order of P-256 without 1: the greatest private key (FIPS 186-5 appendix A.2.1). */
  private static final BigInteger GREATEST =
      new BigInteger("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", 16);

  private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();
  private static final Duration VALIDITY = Duration.ofHours(12);

  private final LocalKeyPair pair;

  private VapidKey(LocalKeyPair pair) {
    this.pair = pair;
  }

  /**
   * @param derive makes 32 octets for a purpose, the same for every gateway of a cluster
   */
  public static VapidKey of(Function<String, byte[]> derive) {
    // Twice as many bits as the order of the curve has, so that the remainder is not biased.
    byte[] octets =
        ByteBuffer.allocate(64)
            .put(derive.apply("web push, first half"))
            .put(derive.apply("web push, second half"))
            .array();
    BigInteger scalar = new BigInteger(1, octets).mod(GREATEST).add(BigInteger.ONE);
    return new VapidKey(LocalKeyPair.ofScalar(scalar));
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
