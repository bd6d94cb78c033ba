package dev.vigil.gateway.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import org.springframework.stereotype.Component;

/** Random secrets and their hashes. */
@Component
public final class Secrets {
  /** Digits and letters without easily confused characters. */
  private static final String LEGIBLE = "23456789abcdefghjkmnpqrstuvwxyz";

  private static final int OCTETS = 32;
  private static final int GROUPS = 4;
  private static final int GROUP = 5;
  private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

  private final SecureRandom random;

  public Secrets(SecureRandom random) {
    this.random = random;
  }

  /** 256 random bits in 43 characters. */
  public String random() {
    byte[] octets = new byte[OCTETS];
    random.nextBytes(octets);
    return BASE64URL.encodeToString(octets);
  }

  /** A password that people can type: 20 characters in groups, 99 bits. */
  public String password() {
    StringBuilder password = new StringBuilder();
    for (int i = 0; i < GROUPS * GROUP; i++) {
      if (i > 0 && i % GROUP == 0) {
        password.append('-');
      }
      password.append(LEGIBLE.charAt(random.nextInt(LEGIBLE.length())));
    }
    return password.toString();
  }

  /**
   * The hash by which a random secret is stored and found: SHA-256 in base64url. A fast hash is
   * enough because nobody can guess 256 bits. The duration of a search reveals information only
   * about the hash.
   */
  public static String hash(String secret) {
    return hash(secret.getBytes(StandardCharsets.UTF_8));
  }

  public static String hash(byte[] secret) {
    try {
      return BASE64URL.encodeToString(MessageDigest.getInstance("SHA-256").digest(secret));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Compares texts in constant time. */
  public static boolean areSame(String expected, String given) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }
}
