package dev.vigil.gateway.accounts;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Recognises browsers in which an account has signed in, by a cookie that only this process can
 * have made. The key is made anew at each start, as the limits that the cookie is for are.
 */
final class KnownBrowsers {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int ID = 43;

  private final SecretKeySpec key;
  private final Secrets secrets;

  KnownBrowsers(Secrets secrets) {
    this.secrets = secrets;
    this.key = new SecretKeySpec(secrets.random().getBytes(StandardCharsets.US_ASCII), ALGORITHM);
  }

  /** A cookie for a browser in which the account has just signed in. */
  String issue(String account) {
    String id = secrets.random();
    return id + mac(account, id);
  }

  /** The id of a browser; null when the cookie is not one of this account. */
  @Nullable String id(String account, @Nullable String cookie) {
    if (cookie == null || cookie.length() != 2 * ID) {
      return null;
    }
    String id = cookie.substring(0, ID);
    return MessageDigest.isEqual(
            mac(account, id).getBytes(StandardCharsets.US_ASCII),
            cookie.substring(ID).getBytes(StandardCharsets.US_ASCII))
        ? id
        : null;
  }

  private String mac(String account, String id) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(mac.doFinal((id + account).getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
