package dev.vigil.gateway.config;

import java.net.InetAddress;

/**
 * A network in CIDR notation.
 *
 * @param bits how many leading bits of the address count
 */
record Network(InetAddress address, int bits) {
  /**
   * @throws IllegalArgumentException when the text is no network, in words
   */
  static Network parse(String text) {
    int slash = text.indexOf('/');
    try {
      // A literal only: a name would be looked up, and mean something else tomorrow.
      InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
      int most = address.getAddress().length * Byte.SIZE;
      int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
      if (bits >= 0 && bits <= most) {
        return new Network(address, bits);
      }
    } catch (IllegalArgumentException e) {
      // told below, in words of the property
    }
    throw new IllegalArgumentException(
        "\"" + text + "\" is no network; write one as fd00::/64 or 192.0.2.0/24");
  }

  boolean contains(InetAddress other) {
    byte[] mine = address.getAddress();
    byte[] theirs = other.getAddress();
    if (mine.length != theirs.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> (bit % Byte.SIZE);
      if (((mine[bit / Byte.SIZE] ^ theirs[bit / Byte.SIZE]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }
}
