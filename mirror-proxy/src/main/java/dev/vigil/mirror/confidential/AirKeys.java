package dev.vigil.mirror.confidential;

import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.jose.OwnKey;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an endpoint's encrypted updates (section 7 of the protocol): those of the last
 * agreement and of the one before, which the mote may still use when it lost the answer.
 *
 * @param number k, counted up with each agreement
 * @param mirrorKey the mirror's public key of the last agreement, for a repeated answer
 * @param current secret
 * @param before secret; null after the first agreement
 */
public record AirKeys(long number, Jwk mirrorKey, Pair current, @Nullable Pair before) {
  private static final int KEY = 16;
  private static final int SHORT_NUMBER = 7;

  /**
   * @param air encrypts compact updates
   * @param jwe encrypts JWE
   */
  public record Pair(byte[] air, byte[] jwe) {
    static Pair derive(byte[] shared, byte[] registrationDigest, String jkt) {
      return new Pair(
          Kdf.hkdf(shared, registrationDigest, info("air", jkt), KEY),
          Kdf.hkdf(shared, registrationDigest, info("jwe", jkt), KEY));
    }

    private static byte[] info(String use, String jkt) {
      return ("vigil update " + use + '\0' + jkt).getBytes(StandardCharsets.US_ASCII);
    }
  }

  /**
   * A new agreement; the keys of the last one are kept beside it.
   *
   * @param digest of the registration that asked for it, the salt
   * @param old null at the first agreement
   */
  public static AirKeys agree(
      OwnKey fresh, Jwk theirs, byte[] digest, String jkt, @Nullable AirKeys old) {
    Pair pair = Pair.derive(fresh.agree(theirs), digest, jkt);
    return new AirKeys(
        old == null ? 1 : old.number() + 1, fresh.jwk(), pair, old == null ? null : old.current());
  }

  /** The keys that the three bits on the air stand for. */
  @Nullable Pair byShortNumber(int bits) {
    if ((number & SHORT_NUMBER) == bits) {
      return current;
    }
    return (number - 1 & SHORT_NUMBER) == bits ? before : null;
  }

  /** As it lies in the store: readable but for the secrets, which only this mirror can open. */
  public byte[] body(Sealer sealer, String id) {
    byte[] secrets = join(current, before);
    return new JsonText()
        .open('{')
        .member("number", number)
        .name("mirrorKey")
        .raw(mirrorKey.json())
        .member(
            "sealed",
            Base64.getUrlEncoder().withoutPadding().encodeToString(sealer.seal(secrets, id)))
        .close('}')
        .toOctets();
  }

  private static byte[] join(Pair current, @Nullable Pair before) {
    byte[] joined = new byte[before == null ? 2 * KEY : 4 * KEY];
    System.arraycopy(current.air(), 0, joined, 0, KEY);
    System.arraycopy(current.jwe(), 0, joined, KEY, KEY);
    if (before != null) {
      System.arraycopy(before.air(), 0, joined, 2 * KEY, KEY);
      System.arraycopy(before.jwe(), 0, joined, 3 * KEY, KEY);
    }
    return joined;
  }

  /** What {@link #body} wrote. */
  public static AirKeys read(byte[] body, Sealer sealer, String id) {
    return new Reading(body).keys(sealer, id);
  }

  @Override
  public String toString() {
    return "AirKeys " + number;
  }

  private static final class Reading {
    private final JsonReader json;
    private long number;
    private @Nullable Jwk mirrorKey;
    private byte[] sealed = {};

    Reading(byte[] body) {
      json = new JsonReader(new WireReader(body));
    }

    AirKeys keys(Sealer sealer, String id) {
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
        throw Rejection.malformed("air keys without the mirror's key");
      }
      byte[] secrets = sealer.open(sealed, id);
      Pair before = secrets.length == 4 * KEY ? pair(secrets, 2 * KEY) : null;
      return new AirKeys(number, found, pair(secrets, 0), before);
    }

    private static Pair pair(byte[] secrets, int at) {
      return new Pair(
          Arrays.copyOfRange(secrets, at, at + KEY),
          Arrays.copyOfRange(secrets, at + KEY, at + 2 * KEY));
    }
  }
}
