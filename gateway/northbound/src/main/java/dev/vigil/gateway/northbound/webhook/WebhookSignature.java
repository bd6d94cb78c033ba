package dev.vigil.gateway.northbound.webhook;

import dev.vigil.gateway.files.SecretFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs events according to the Standard Webhooks specification: HMAC-SHA-256 over id, time and
 * body. A receiver can verify the sender and refuse replayed events.
 */
final class WebhookSignature {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String ENCODED = "whsec_";
  private static final int MIN_OCTETS = 16;

  private final SecretKeySpec key;

  private WebhookSignature(SecretKeySpec key) {
    this.key = key;
  }

  /**
   * @param secret text, or {@code whsec_} followed by octets in base64
   * @throws IllegalArgumentException with a message that does not contain the secret
   */
  static WebhookSignature of(String secret) {
    byte[] octets;
    if (secret.startsWith(ENCODED)) {
      try {
        octets = Base64.getDecoder().decode(secret.substring(ENCODED.length()));
      } catch (IllegalArgumentException e) {
        // The exception has no cause, because the cause's message shows a part of the secret.
        throw new IllegalArgumentException("base64 must follow whsec_");
      }
    } else {
      octets = secret.getBytes(StandardCharsets.UTF_8);
    }
    if (octets.length < MIN_OCTETS) {
      throw new IllegalArgumentException(
          "a secret needs at least %d octets; create one with: openssl rand -hex 32"
              .formatted(MIN_OCTETS));
    }
    return new WebhookSignature(new SecretKeySpec(octets, ALGORITHM));
  }

  /**
   * @param property the setting that names the file
   * @throws IOException with a message that begins with "cannot" and names the file
   */
  static WebhookSignature read(String property, String file) throws IOException {
    String secret = SecretFile.read(property, "secret", file);
    try {
      return of(secret);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "cannot use the secret in %s, which vigil.%s names: %s"
              .formatted(file, property, e.getMessage()),
          e);
    }
  }

  /** The value of the header {@code webhook-signature}. */
  String of(String id, long seconds, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update((id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
