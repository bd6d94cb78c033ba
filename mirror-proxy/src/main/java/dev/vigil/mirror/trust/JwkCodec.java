package dev.vigil.mirror.trust;

import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.signed.jose.SignatureAlgorithm;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jose4j.base64url.Base64Url;
import org.jose4j.json.JsonUtil;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.lang.ByteUtil;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes keys as JWK (RFC 7517, RFC 7518 section 6.2, RFC 8037 section 2) with jose4j:
 * keys from files, settings and operators. {@link Jwk#parse} reads keys that endpoints send; it is
 * faster and stricter about JSON. Both accept the same keys.
 */
public final class JwkCodec {
  /** The provider of the JDK, regardless of its place in the list of providers. */
  private static final String PROVIDER = "SunEC";

  private static final Set<String> OF_THE_KEY = Set.of("kty", "crv", "x", "y", "d");

  private JwkCodec() {}

  /**
   * Reads a public key.
   *
   * @throws SignedObjectException if the text is not the JWK of a public key of P-256, P-384 or
   *     Ed25519, in particular for a private or secret key
   */
  public static Jwk read(String text) {
    return read(members(text));
  }

  /**
   * @param members of the JWK, by name
   * @throws SignedObjectException as above
   */
  public static Jwk read(Map<String, ?> members) {
    members.keySet().forEach(Jwk::requirePublic);
    return jwk(members, parsed(members));
  }

  /**
   * Reads one public key, or every public key of a JWK set (RFC 7517 section 5).
   *
   * @throws SignedObjectException if one of them is not accepted
   */
  public static List<Jwk> readAll(String text) {
    Map<String, ?> members = members(text);
    return members.get("keys") instanceof List<?> keys
        ? keys.stream().map(one -> read(object(one))).toList()
        : List.of(read(members));
  }

  /** The required members in lexical order (RFC 7638 section 3). */
  public static String write(Jwk key) {
    return JsonUtil.toJson(new TreeMap<>(of(key).toParams(OutputControlLevel.PUBLIC_ONLY)));
  }

  /** The SHA-256 thumbprint (RFC 7638) in base64url. */
  public static String thumbprint(Jwk key) {
    return of(key).calculateBase64urlEncodedThumbprint("SHA-256");
  }

  /** The JWK with its private member {@code d}; a secret. */
  static String writePrivate(LocalKeyPair key) {
    PublicJsonWebKey jwk = of(key.jwk());
    jwk.setPrivateKey(key.keyPair().getPrivate());
    return jwk.toJson(OutputControlLevel.INCLUDE_PRIVATE);
  }

  /**
   * @throws SignedObjectException if it is not a private key of P-256 with its public key
   */
  static LocalKeyPair readPrivate(Map<String, ?> members) {
    PublicJsonWebKey parsed = parsed(members);
    Jwk key = jwk(members, parsed);
    PrivateKey secret = parsed.getPrivateKey();
    if (secret == null || key.algorithm() != SignatureAlgorithm.ES256) {
      throw SignedObjectException.malformed("the JWK is not a private key of P-256");
    }
    return LocalKeyPair.restore(secret, key);
  }

  /**
   * @throws SignedObjectException if the text is not a JSON object; has no cause, because a cause
   *     could quote a secret
   */
  static Map<String, Object> members(String text) {
    try {
      return JsonUtil.parseJson(text);
    } catch (JoseException e) {
      throw SignedObjectException.malformed("the JWK is not a JSON object");
    }
  }

  /**
   * @throws SignedObjectException if it is not a JSON object
   */
  static Map<String, Object> object(@Nullable Object json) {
    if (!(json instanceof Map<?, ?> object)) {
      throw SignedObjectException.malformed("the JWK is not a JSON object");
    }
    Map<String, Object> members = new HashMap<>();
    object.forEach((name, value) -> members.put(String.valueOf(name), value));
    return members;
  }

  private static PublicJsonWebKey of(Jwk key) {
    try {
      return PublicJsonWebKey.Factory.newPublicJwk(key.publicKey());
    } catch (JoseException | GeneralSecurityException e) {
      throw new IllegalStateException("the JDK does not accept a key of " + key.algorithm(), e);
    }
  }

  private static PublicJsonWebKey parsed(Map<String, ?> members) {
    Map<String, Object> ofTheKey = new HashMap<>(members);
    ofTheKey.keySet().retainAll(OF_THE_KEY);
    try {
      return PublicJsonWebKey.Factory.newPublicJwk(ofTheKey, PROVIDER);
    } catch (JoseException | IndexOutOfBoundsException e) {
      // jose4j 0.9.7 reads the last octet of an Ed25519 key even if there is none.
      throw SignedObjectException.malformed("the JWK is not of P-256, P-384 or Ed25519");
    }
  }

  private static Jwk jwk(Map<String, ?> members, PublicJsonWebKey parsed) {
    Map<String, Object> canonical = parsed.toParams(OutputControlLevel.PUBLIC_ONLY);
    for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
      if (algorithm.curve().equals(canonical.get("crv"))) {
        Object alg = members.get("alg");
        if (alg != null && !alg.equals(algorithm.jose())) {
          throw SignedObjectException.malformed("alg of the JWK does not match its curve");
        }
        byte[] x = coordinate(members, canonical, "x");
        return new Jwk(
            algorithm,
            algorithm == SignatureAlgorithm.EDDSA
                ? x
                : ByteUtil.concat(x, coordinate(members, canonical, "y")));
      }
    }
    throw SignedObjectException.malformed("the JWK is not of P-256, P-384 or Ed25519");
  }

  /** jose4j accepts any length and alphabet; RFC 7518 section 6.2.1.2 requires the full size. */
  private static byte[] coordinate(
      Map<String, ?> members, Map<String, Object> canonical, String name) {
    Object written = canonical.get(name);
    if (written == null || !written.equals(members.get(name))) {
      throw SignedObjectException.malformed(
          "coordinate " + name + " of the JWK is not base64url with the curve's length");
    }
    return Base64Url.decode(written.toString());
  }
}
