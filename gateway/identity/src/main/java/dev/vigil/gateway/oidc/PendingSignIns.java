package dev.vigil.gateway.oidc;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Sign-ins that have begun at the provider. The browser keeps each in a cookie that only this
 * process can have made, so that strangers who begin sign-ins and never end them take no memory.
 * State, nonce and code verifier are derived from the cookie with a key that is made anew at each
 * start.
 */
final class PendingSignIns {
  /** The time that a person has at the provider. */
  static final Duration MAX_AGE = Duration.ofMinutes(10);

  private static final String ALGORITHM = "HmacSHA256";
  private static final int OCTETS = 32;
  private static final int TEXT = 43;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private final SecretKeySpec key;
  private final SecureRandom random;
  private final Clock clock;

  /**
   * A sign-in that has begun.
   *
   * @param secure whether the browser reached the gateway over HTTPS
   * @param state ties the provider's answer to the browser
   * @param nonce ties the ID token to the sign-in
   * @param verifier proves that the code was asked for here (RFC 7636)
   */
  record Pending(String cookie, boolean secure, String state, String nonce, String verifier) {
    @Override
    public String toString() {
      return "Pending[not shown]";
    }
  }

  PendingSignIns(SecureRandom random, Clock clock) {
    this.random = random;
    this.clock = clock;
    byte[] secret = new byte[OCTETS];
    random.nextBytes(secret);
    this.key = new SecretKeySpec(secret, ALGORITHM);
  }

  Pending begin(boolean secure) {
    byte[] content = new byte[OCTETS];
    random.nextBytes(content);
    ByteBuffer.wrap(content).put((byte) (secure ? 1 : 0)).putLong(clock.instant().getEpochSecond());
    return pending(content);
  }

  /** The sign-in of a cookie; null when it is too old or not of this process. */
  @Nullable Pending read(@Nullable String cookie) {
    if (cookie == null || cookie.length() != 2 * TEXT) {
      return null;
    }
    byte[] content;
    try {
      content = Base64.getUrlDecoder().decode(cookie.substring(0, TEXT));
    } catch (IllegalArgumentException e) {
      return null;
    }
    Pending pending = pending(content);
    if (!MessageDigest.isEqual(
        pending.cookie.getBytes(StandardCharsets.US_ASCII),
        cookie.getBytes(StandardCharsets.US_ASCII))) {
      return null;
    }
    Instant begun = Instant.ofEpochSecond(ByteBuffer.wrap(content).getLong(1));
    return Duration.between(begun, clock.instant()).abs().compareTo(MAX_AGE) > 0 ? null : pending;
  }

  private Pending pending(byte[] content) {
    return new Pending(
        ENCODER.encodeToString(content) + derived("cookie", content),
        content[0] == 1,
        derived("state", content),
        derived("nonce", content),
        derived("verifier", content));
  }

  private String derived(String purpose, byte[] content) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(Arrays.copyOf(purpose.getBytes(StandardCharsets.US_ASCII), OCTETS));
      return ENCODER.encodeToString(mac.doFinal(content));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
