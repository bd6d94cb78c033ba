package dev.vigil.border.ieee802154;

import java.util.Optional;

/** The keys of a network, or of its nodes. */
@FunctionalInterface
public interface LinkKeys {
  /**
   * The key for frames between us and a node.
   *
   * @param peer the other side's address: the sender of a received frame, the addressee of ours
   */
  Optional<LinkKey> find(KeyId keyId, Eui64 peer);

  /** One key for the whole network, under whatever name frames give it. */
  static LinkKeys network(LinkKey key) {
    return (keyId, peer) -> Optional.of(key);
  }

  /** One key for the whole network, under one name. */
  static LinkKeys network(KeyId name, LinkKey key) {
    return (keyId, peer) -> keyId.equals(name) ? Optional.of(key) : Optional.empty();
  }
}
