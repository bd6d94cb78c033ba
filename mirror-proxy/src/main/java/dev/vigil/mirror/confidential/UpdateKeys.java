package dev.vigil.mirror.confidential;

import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import dev.vigil.store.EndpointName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an endpoint's encrypted updates (docs/protocol.md section 7), from the last agreement
 * and from the one before. The mote still uses the former keys if the answer was lost.
 *
 * @param number k, incremented by each agreement
 * @param mirrorKey the mirror's public key of the last agreement, kept to repeat the answer
 * @param current secret
 * @param former secret; null after the first agreement
 */
public record UpdateKeys(long number, Jwk mirrorKey, Pair current, @Nullable Pair former) {
  private static final int KEY_LENGTH = 16;
  private static final int SHORT_NUMBER_MASK = 7;

  /**
   * @param compact encrypts compact updates
   * @param jwe encrypts JWEs
   */
  public record Pair(byte[] compact, byte[] jwe) {
    static Pair derive(byte[] shared, byte[] registrationDigest, String jkt) {
      return new Pair(
          Hkdf.hkdf(shared, registrationDigest, info("air", jkt), KEY_LENGTH),
          Hkdf.hkdf(shared, registrationDigest, info("jwe", jkt), KEY_LENGTH));
    }

    private static byte[] info(String use, String jkt) {
      return ("vigil update " + use + '\0' + jkt).getBytes(StandardCharsets.US_ASCII);
    }
  }

  /**
   * Agrees on new keys. The present keys become the former keys.
   *
   * @param ephemeral the mirror's fresh key pair
   * @param epk the endpoint's ephemeral key
   * @param digest SHA-256 of the registration, used as the salt
   * @param old the present keys; null at the first agreement
   */
  public static UpdateKeys agree(
      LocalKeyPair ephemeral, Jwk epk, byte[] digest, String jkt, @Nullable UpdateKeys old) {
    Pair pair = Pair.derive(ephemeral.agree(epk), digest, jkt);
    return new UpdateKeys(
        old == null ? 1 : old.number() + 1,
        ephemeral.jwk(),
        pair,
        old == null ? null : old.current());
  }

  /** The keys whose number has these low three bits; null if there are none. */
  @Nullable Pair byShortNumber(int bits) {
    if ((number & SHORT_NUMBER_MASK) == bits) {
      return current;
    }
    return (number - 1 & SHORT_NUMBER_MASK) == bits ? former : null;
  }

  /** The JSON form in the store, which {@link #read} reads. The secrets in it are sealed. */
  public byte[] body(SecretSealer sealer, EndpointName name) {
    byte[] secrets = join(current, former);
    return new JsonWriter()
        .open('{')
        .member("number", number)
        .name("mirrorKey")
        .raw(mirrorKey.json())
        .member(
            "sealed",
            Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(sealer.seal(secrets, context(name))))
        .close('}')
        .toOctets();
  }

  private static byte[] join(Pair current, @Nullable Pair former) {
    byte[] joined = new byte[former == null ? 2 * KEY_LENGTH : 4 * KEY_LENGTH];
    System.arraycopy(current.compact(), 0, joined, 0, KEY_LENGTH);
    System.arraycopy(current.jwe(), 0, joined, KEY_LENGTH, KEY_LENGTH);
    if (former != null) {
      System.arraycopy(former.compact(), 0, joined, 2 * KEY_LENGTH, KEY_LENGTH);
      System.arraycopy(former.jwe(), 0, joined, 3 * KEY_LENGTH, KEY_LENGTH);
    }
    return joined;
  }

  /**
   * Reads the form that {@link #body} writes.
   *
   * @return null if the secrets are lost, because the identity key that sealed them was replaced;
   *     the endpoint has to agree on new keys
   */
  public static @Nullable UpdateKeys read(byte[] body, SecretSealer sealer, EndpointName name) {
    return new Parser(body).keys(sealer, context(name));
  }

  private static String context(EndpointName name) {
    return name.ep() + '\0' + name.d();
  }

  /** Hides the secrets. */
  @Override
  public String toString() {
    return "UpdateKeys " + number;
  }

  private static final class Parser {
    private final JsonReader json;
    private long number;
    private @Nullable Jwk mirrorKey;
    private byte[] sealed = {};

    Parser(byte[] body) {
      json = new JsonReader(new WireReader(body));
    }

    @Nullable UpdateKeys keys(SecretSealer sealer, String context) {
      json.object(
          name -> {
            switch (name) {
              case "number" -> number = json.integer();
              case "mirrorKey" -> mirrorKey = Jwk.read(json);
              case "sealed" -> sealed = Base64.getUrlDecoder().decode(json.string());
              default -> json.skip();
            }
          });
      Jwk found = mirrorKey;
      if (found == null) {
        throw RequestRefused.malformed("stored update keys lack the mirror's public key");
      }
      byte[] secrets = sealer.openOrNull(sealed, context);
      if (secrets == null) {
        return null;
      }
      Pair former = secrets.length == 4 * KEY_LENGTH ? pair(secrets, 2 * KEY_LENGTH) : null;
      return new UpdateKeys(number, found, pair(secrets, 0), former);
    }

    private static Pair pair(byte[] secrets, int at) {
      return new Pair(
          Arrays.copyOfRange(secrets, at, at + KEY_LENGTH),
          Arrays.copyOfRange(secrets, at + KEY_LENGTH, at + 2 * KEY_LENGTH));
    }
  }
}
