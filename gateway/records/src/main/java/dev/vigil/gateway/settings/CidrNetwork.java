package dev.vigil.gateway.settings;

import java.net.InetAddress;

/**
 * A network in CIDR notation.
 *
 * @param bits length of the prefix
 */
public record CidrNetwork(InetAddress address, int bits) {
  /**
   * @throws IllegalArgumentException with a message for the operator when the text is malformed
   */
  public static CidrNetwork parse(String text) {
    int slash = text.indexOf('/');
    try {
      // Host names are not accepted because their addresses may change.
      InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
      int maxBits = address.getAddress().length * Byte.SIZE;
      int bits = slash < 0 ? maxBits : Integer.parseInt(text.substring(slash + 1));
      if (bits >= 0 && bits <= maxBits) {
        return new CidrNetwork(address, bits);
      }
    } catch (IllegalArgumentException e) {
      // Reported below.
    }
    throw new IllegalArgumentException(
        "\"" + text + "\" is not a network: write it like fd00::/64 or 192.0.2.0/24");
  }

  public boolean contains(InetAddress other) {
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
