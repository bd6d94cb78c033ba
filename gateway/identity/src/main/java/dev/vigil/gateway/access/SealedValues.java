package dev.vigil.gateway.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Values that browsers keep and only this process can have made: 43 characters, and their
 * HMAC-SHA-256 in base64url. The key is made anew at each start.
 */
public final class SealedValues {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int LENGTH = 43;

  private final SecretKeySpec key;

  public SealedValues(Secrets secrets) {
    this.key = new SecretKeySpec(secrets.random().getBytes(StandardCharsets.US_ASCII), ALGORITHM);
  }

  /**
   * @param value 43 characters
   */
  public String seal(String purpose, String value) {
    return value + derive(purpose, value);
  }

  /** The value that was sealed for a purpose; null when this process has not sealed it. */
  public @Nullable String open(String purpose, @Nullable String sealed) {
    if (sealed == null || sealed.length() != 2 * LENGTH) {
      return null;
    }
    String value = sealed.substring(0, LENGTH);
    return Secrets.areSame(seal(purpose, value), sealed) ? value : null;
  }

  /** 43 characters that nobody else can derive from the value. */
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
