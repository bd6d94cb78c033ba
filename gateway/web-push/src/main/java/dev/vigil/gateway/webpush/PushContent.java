package dev.vigil.gateway.webpush;

import dev.vigil.mirror.confidential.AesGcm;
import dev.vigil.mirror.confidential.Hkdf;
import dev.vigil.signed.jose.LocalKeyPair;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/** Encrypts a message for one browser: RFC 8291 with one record of {@code aes128gcm} (RFC 8188). */
final class PushContent {
  /**
   * Push services take at most 4096 octets: header, message, delimiter and tag (RFC 8291 section
   * 4).
   */
  static final int MAX_MESSAGE = 3993;

  private static final int SALT_OCTETS = 16;
  private static final int SECRET_OCTETS = 32;
  private static final int KEY_OCTETS = 16;
  private static final int RECORD_SIZE = 4096;

  /** The delimiter of the last record; the padding that may follow is empty. */
  private static final byte LAST = 2;

  private PushContent() {}

  static byte[] encrypt(byte[] message, BrowserKeys browser, SecureRandom random) {
    byte[] salt = new byte[SALT_OCTETS];
    random.nextBytes(salt);
    return encrypt(message, browser, LocalKeyPair.generate(random), salt);
  }

  /**
   * @param sender used for this message only
   * @param salt used for this message only
   */
  static byte[] encrypt(byte[] message, BrowserKeys browser, LocalKeyPair sender, byte[] salt) {
    if (message.length > MAX_MESSAGE) {
      throw new IllegalArgumentException(message.length + " octets");
    }
    byte[] own = BrowserKeys.uncompressed(sender.jwk());
    byte[] info =
        joined(
            "WebPush: info\0".getBytes(StandardCharsets.US_ASCII),
            BrowserKeys.uncompressed(browser.key()),
            own);
    byte[] secret = Hkdf.hkdf(sender.agree(browser.key()), browser.auth(), info, SECRET_OCTETS);
    byte[] key = Hkdf.hkdf(secret, salt, info("aes128gcm"), KEY_OCTETS);
    byte[] nonce = Hkdf.hkdf(secret, salt, info("nonce"), AesGcm.NONCE_LENGTH);
    byte[] sealed = AesGcm.seal(key, nonce, new byte[0], joined(message, new byte[] {LAST}));
    return ByteBuffer.allocate(SALT_OCTETS + Integer.BYTES + 1 + own.length + sealed.length)
        .put(salt)
        .putInt(RECORD_SIZE)
        .put((byte) own.length)
        .put(own)
        .put(sealed)
        .array();
  }

  private static byte[] info(String purpose) {
    return ("Content-Encoding: " + purpose + "\0").getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
