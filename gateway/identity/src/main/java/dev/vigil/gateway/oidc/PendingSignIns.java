package dev.vigil.gateway.oidc;

import dev.vigil.gateway.access.SealedValues;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Pending sign-ins at the provider. The browser keeps each in a sealed cookie, so abandoned
 * sign-ins use no memory. State, nonce and code verifier are derived from the cookie.
 */
final class PendingSignIns {
  /** The time limit for a person's sign-in at the provider. */
  private static final Duration MAX_AGE = Duration.ofMinutes(10);

  private static final String COOKIE = "cookie";
  private static final int OCTETS = 32;

  private final SealedValues sealed;
  private final SecureRandom random;
  private final Clock clock;

  /**
   * A pending sign-in.
   *
   * @param secure whether the browser reached the gateway over HTTPS
   * @param state ties the provider's answer to the browser
   * @param nonce ties the ID token to the sign-in
   * @param verifier proves that this gateway requested the code (RFC 7636)
   */
  record Pending(String cookie, boolean secure, String state, String nonce, String verifier) {
    @Override
    public String toString() {
      return "Pending[not shown]";
    }
  }

  /**
   * @param key 32 octets, the same on every gateway to which the browser may return
   */
  PendingSignIns(byte[] key, SecureRandom random, Clock clock) {
    this.sealed = new SealedValues(key);
    this.random = random;
    this.clock = clock;
  }

  Pending begin(boolean secure) {
    byte[] content = new byte[OCTETS];
    random.nextBytes(content);
    ByteBuffer.wrap(content).put((byte) (secure ? 1 : 0)).putLong(clock.instant().getEpochSecond());
    return pending(Base64.getUrlEncoder().withoutPadding().encodeToString(content), secure);
  }

  /** The pending sign-in in a cookie; null when the cookie is too old or has another key. */
  @Nullable Pending read(@Nullable String cookie) {
    String value = sealed.open(COOKIE, cookie);
    if (value == null) {
      return null;
    }
    ByteBuffer content = ByteBuffer.wrap(Base64.getUrlDecoder().decode(value));
    boolean secure = content.get() == 1;
    Duration age = Duration.between(Instant.ofEpochSecond(content.getLong()), clock.instant());
    return age.abs().compareTo(MAX_AGE) > 0 ? null : pending(value, secure);
  }

  private Pending pending(String value, boolean secure) {
    return new Pending(
        sealed.seal(COOKIE, value),
        secure,
        sealed.derive("state", value),
        sealed.derive("nonce", value),
        sealed.derive("verifier", value));
  }
}
