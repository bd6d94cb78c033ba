package dev.vigil.mirror.confidential;

import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.jose.LocalKeyPair;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts secrets for the store with a key derived from the identity key. The store or its backup
 * alone therefore does not reveal them. Sealed form: nonce, ciphertext, tag.
 */
public final class SecretSealer {
  private static final String DERIVED = "vigil derived key: ";
  private static final byte[] INFO =
      "vigil mirror sealed store".getBytes(StandardCharsets.US_ASCII);

  private final byte[] key;
  private final SecureRandom random;

  public SecretSealer(LocalKeyPair identity, SecureRandom random) {
    this.key = Hkdf.hkdf(identity.encoded(), new byte[32], INFO, 32);
    this.random = random;
  }

  /**
   * A key that only holders of the identity key can derive.
   *
   * @param purpose any other purpose has another key
   * @return 32 octets
   */
  public byte[] derive(String purpose) {
    return Hkdf.hkdf(key, new byte[32], (DERIVED + purpose).getBytes(StandardCharsets.UTF_8), 32);
  }

  /**
   * @param context identifies the owner of the secret; opening requires the same context
   */
  public byte[] seal(byte[] secret, String context) {
    byte[] nonce = new byte[AesGcm.NONCE_LENGTH];
    random.nextBytes(nonce);
    byte[] sealed = AesGcm.seal(key, nonce, context.getBytes(StandardCharsets.UTF_8), secret);
    byte[] joined = Arrays.copyOf(nonce, nonce.length + sealed.length);
    System.arraycopy(sealed, 0, joined, nonce.length, sealed.length);
    return joined;
  }

  /**
   * @throws RequestRefused 4.00 if the secret was sealed by another identity key or for another
   *     context
   */
  public byte[] open(byte[] joined, String context) {
    byte[] secret = openOrNull(joined, context);
    if (secret == null) {
      throw RequestRefused.malformed("a secret in the store was sealed by another identity key");
    }
    return secret;
  }

  /** Null if the secret was sealed by another identity key or for another context. */
  byte @Nullable [] openOrNull(byte[] joined, String context) {
    byte[] nonce = Arrays.copyOf(joined, AesGcm.NONCE_LENGTH);
    byte[] sealed =
        Arrays.copyOfRange(joined, Math.min(AesGcm.NONCE_LENGTH, joined.length), joined.length);
    return AesGcm.open(key, nonce, context.getBytes(StandardCharsets.UTF_8), sealed);
  }
}
