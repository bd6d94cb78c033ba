package dev.vigil.border.associations;

import dev.vigil.border.ipv6.Ipv6Packet;
import org.jspecify.annotations.Nullable;

/**
 * Counts the octets that compressed headers saved, by association. A forged packet must not count.
 * The saving of a received packet is therefore held back until the packet is opened, which happens
 * before the next packet arrives. Belongs to the pipeline thread.
 */
final class CompressionSavings {
  private @Nullable Arrived arrived;

  private record Arrived(Ipv6Packet packet, RunningAssociation association, int octets) {}

  /**
   * Counts the saving of a packet of this association. The saving of a received packet counts once
   * the packet is opened.
   */
  void saved(Ipv6Packet packet, RunningAssociation association, int octets) {
    if (association.receives()) {
      arrived = new Arrived(packet, association, octets);
    } else {
      association.saved(octets);
    }
  }

  /** Counts the saving of a received packet after every layer of its protection was verified. */
  void opened(Ipv6Packet packet) {
    Arrived last = arrived;
    if (last != null && last.packet().equals(packet)) {
      last.association().saved(last.octets());
    }
    arrived = null;
  }
}
