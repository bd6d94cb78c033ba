package dev.vigil.border.ieee802154;

import java.util.Optional;

/** Finds the link keys of a network or of its nodes. */
@FunctionalInterface
public interface LinkKeys {
  /**
   * The key for frames between the bridge and a node.
   *
   * @param peer the node's address: the sender of a received frame, the destination of a sent one
   */
  Optional<LinkKey> find(KeyId keyId, Eui64 peer);

  /** One key for the whole network, for any key identifier. */
  static LinkKeys network(LinkKey key) {
    return (keyId, peer) -> Optional.of(key);
  }

  /** One key for the whole network, for one key identifier. */
  static LinkKeys network(KeyId only, LinkKey key) {
    return (keyId, peer) -> keyId.equals(only) ? Optional.of(key) : Optional.empty();
  }
}
