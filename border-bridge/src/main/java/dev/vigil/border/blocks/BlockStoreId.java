package dev.vigil.border.blocks;

import dev.vigil.border.ipv6.Ipv6Address;

/**
 * A block store of a mote. Each has associations of its own, so that its blocks never open under
 * another one's.
 *
 * @param name empty for the unnamed one
 */
public record BlockStoreId(Ipv6Address mote, String name) {
  /** The unnamed block store of a mote. */
  public static BlockStoreId unnamed(Ipv6Address mote) {
    return new BlockStoreId(mote, "");
  }

  /** The mote's address, and the name if there is one. */
  @Override
  public String toString() {
    return name.isEmpty() ? mote.toString() : mote + " (file " + name + ")";
  }
}
