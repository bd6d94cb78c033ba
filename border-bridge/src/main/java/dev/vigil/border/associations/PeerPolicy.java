package dev.vigil.border.associations;

import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.WireException;
import org.jspecify.annotations.Nullable;

/**
 * The associations that protect packets from and to one peer; AH is the outer header, ESP the inner
 * one.
 */
record PeerPolicy(
    @Nullable RunningAssociation espIn,
    @Nullable RunningAssociation ahIn,
    @Nullable RunningAssociation espOut,
    @Nullable RunningAssociation ahOut) {
  static PeerPolicy of(boolean inbound, int protocol, RunningAssociation association) {
    boolean esp = protocol == Protocol.ESP;
    return new PeerPolicy(
        inbound && esp ? association : null,
        inbound && !esp ? association : null,
        !inbound && esp ? association : null,
        !inbound && !esp ? association : null);
  }

  /** Both policies; no association is in both. */
  PeerPolicy and(PeerPolicy other) {
    return new PeerPolicy(
        espIn == null ? other.espIn : espIn,
        ahIn == null ? other.ahIn : ahIn,
        espOut == null ? other.espOut : espOut,
        ahOut == null ? other.ahOut : ahOut);
  }

  /**
   * Whether the policy requires exactly these associations for received packets; null means none.
   */
  boolean receives(@Nullable RunningAssociation ah, @Nullable RunningAssociation esp) {
    return ah == ahIn && esp == espIn;
  }

  /** The innermost association that the peer's packets must have; null if they come in clear. */
  @Nullable RunningAssociation receiving() {
    return espIn == null ? ahIn : espIn;
  }

  Ipv6Packet protect(Ipv6Packet packet) throws WireException {
    Ipv6Packet inner = espOut == null ? packet : espOut.protect(packet);
    return ahOut == null ? inner : ahOut.protect(inner);
  }
}
