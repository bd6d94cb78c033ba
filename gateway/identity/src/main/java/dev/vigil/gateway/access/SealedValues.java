package dev.vigil.gateway.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals values that browsers keep, so that only holders of a key can create them. A sealed value
 * has 43 characters and their HMAC-SHA-256 in base64url.
 */
public final class SealedValues {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int LENGTH = 43;

  private final SecretKeySpec key;

  /**
   * @param key 32 octets
   */
  public SealedValues(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /**
   * @param value 43 characters
   */
  public String seal(String purpose, String value) {
    return value + derive(purpose, value);
  }

  /**
   * The value that was sealed for a purpose; null when it was not sealed for that purpose with this
   * key.
   */
  public @Nullable String open(String purpose, @Nullable String sealed) {
    if (sealed == null || sealed.length() != 2 * LENGTH) {
      return null;
    }
    String value = sealed.substring(0, LENGTH);
    return Secrets.areSame(seal(purpose, value), sealed) ? value : null;
  }

  /** Derives 43 characters from the value; nobody else can derive them. */
  public String derive(String purpose, String value) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(mac.doFinal((value + purpose).getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
