package dev.vigil.border.ieee802154;

import dev.vigil.border.crypto.Ccm;

/** An AES-128 key of the link layer. Holds cipher state: belongs to one thread. */
public final class LinkKey {
  private final Ccm ccm;

  /**
   * @param key 16 octets; copied
   */
  public LinkKey(byte[] key) {
    if (key.length != 16) {
      throw new IllegalArgumentException("a link key has 16 octets");
    }
    ccm = new Ccm(key);
  }

  Ccm ccm() {
    return ccm;
  }
}
