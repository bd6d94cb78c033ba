package dev.vigil.border.ipsec;

import dev.vigil.border.crypto.XcbcMac;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import javax.crypto.spec.SecretKeySpec;

/** An integrity algorithm with its key. */
final class Mac {
  private final Integrity algorithm;
  private final UnaryOperator<byte[]> function;

  Mac(Integrity algorithm, byte[] key) {
    if (key.length != algorithm.keyLength()) {
      throw new IllegalArgumentException(
          algorithm + " takes a key of " + algorithm.keyLength() + " octets");
    }
    this.algorithm = algorithm;
    this.function =
        switch (algorithm) {
          case NONE -> message -> new byte[0];
          case AES_XCBC_96 -> new XcbcMac(key)::mac;
          case HMAC_SHA1_96 -> hmac("HmacSHA1", key);
          case HMAC_SHA256_128 -> hmac("HmacSHA256", key);
        };
  }

  Integrity algorithm() {
    return algorithm;
  }

  byte[] icv(byte[] message) {
    return Arrays.copyOf(function.apply(message), algorithm.icvLength());
  }

  /** Verifies an ICV in constant time. */
  boolean verifies(byte[] message, byte[] icv) {
    return MessageDigest.isEqual(icv(message), icv);
  }

  private static UnaryOperator<byte[]> hmac(String name, byte[] key) {
    try {
      javax.crypto.Mac mac = javax.crypto.Mac.getInstance(name);
      mac.init(new SecretKeySpec(key, name));
      return mac::doFinal;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + name, e);
    }
  }
}
