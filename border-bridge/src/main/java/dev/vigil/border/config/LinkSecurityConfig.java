package dev.vigil.border.config;

import dev.vigil.border.ieee802154.KeyId;
import dev.vigil.border.ieee802154.SecurityLevel;

/**
 * The link-layer key of the mesh and its use. Frames of another security level are refused.
 *
 * @param key 16 octets; never logged
 * @param level of sent and accepted frames
 * @param keyId the name of the key in frames
 * @param neverUsed whether an operator states that a key without stored counters was never used;
 *     without this statement the key counts as used if the counters come from a backup
 */
public record LinkSecurityConfig(byte[] key, SecurityLevel level, KeyId keyId, boolean neverUsed) {
  /** A key without a statement by an operator. */
  public LinkSecurityConfig(byte[] key, SecurityLevel level, KeyId keyId) {
    this(key, level, keyId, false);
  }

  /** Checks the size and copies the key. */
  public LinkSecurityConfig {
    if (key.length != 16) {
      throw new IllegalArgumentException("a link key must have 16 octets");
    }
    if (level == SecurityLevel.NONE) {
      throw new IllegalArgumentException("level 0 uses no key: configure no link security");
    }
    key = key.clone();
  }

  @Override
  public byte[] key() {
    return key.clone();
  }

  @Override
  public String toString() {
    return "LinkSecurityConfig[" + level + ", " + keyId + "]";
  }
}
