package dev.vigil.border;

import dev.vigil.border.ieee802154.KeyId;
import dev.vigil.border.ieee802154.SecurityLevel;

/**
 * The link-layer key of the network and how frames use it. Frames of another level are refused.
 *
 * @param key 16 octets; never logged
 * @param level what is sent and accepted
 * @param keyId how frames name the key
 */
public record LinkProtection(byte[] key, SecurityLevel level, KeyId keyId) {
  /** Checks the size and copies the key. */
  public LinkProtection {
    if (key.length != 16) {
      throw new IllegalArgumentException("a link key has 16 octets");
    }
    if (level == SecurityLevel.NONE) {
      throw new IllegalArgumentException("no security is said by giving no key");
    }
    key = key.clone();
  }

  @Override
  public byte[] key() {
    return key.clone();
  }

  @Override
  public String toString() {
    return "LinkProtection[" + level + ", " + keyId + "]";
  }
}
