package dev.vigil.mirror.confidential;

import dev.vigil.mirror.jose.OwnKey;
import dev.vigil.mirror.wire.Rejection;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Seals secrets that lie in the store with a key that comes from the identity key, so that the
 * store alone, or a backup of it, does not give them away.
 */
public final class Sealer {
  private static final byte[] INFO =
      "vigil mirror sealed store".getBytes(StandardCharsets.US_ASCII);

  private final byte[] key;
  private final SecureRandom random;

  public Sealer(OwnKey identity, SecureRandom random) {
    this.key = Kdf.hkdf(identity.encoded(), new byte[32], INFO, 32);
    this.random = random;
  }

  /**
   * @param context what the secret belongs to; it opens nowhere else
   */
  public byte[] seal(byte[] secret, String context) {
    byte[] nonce = new byte[Gcm.NONCE];
    random.nextBytes(nonce);
    byte[] sealed = Gcm.seal(key, nonce, context.getBytes(StandardCharsets.UTF_8), secret);
    byte[] both = Arrays.copyOf(nonce, nonce.length + sealed.length);
    System.arraycopy(sealed, 0, both, nonce.length, sealed.length);
    return both;
  }

  /**
   * @throws Rejection when another identity key sealed it, or for another context
   */
  public byte[] open(byte[] both, String context) {
    byte[] nonce = Arrays.copyOf(both, Gcm.NONCE);
    byte[] sealed = Arrays.copyOfRange(both, Math.min(Gcm.NONCE, both.length), both.length);
    byte[] secret = Gcm.open(key, nonce, context.getBytes(StandardCharsets.UTF_8), sealed);
    if (secret == null) {
      throw Rejection.malformed("sealed by another identity key");
    }
    return secret;
  }
}
