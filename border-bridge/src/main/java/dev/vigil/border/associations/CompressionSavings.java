package dev.vigil.border.associations;

import dev.vigil.border.ipv6.Ipv6Packet;
import org.jspecify.annotations.Nullable;

/**
 * Counts the octets that compressed headers saved, by association. A forged packet must not count:
 * what a received packet saved waits until the packet is opened, which is before the next one
 * arrives. Belongs to the pipeline thread.
 */
final class CompressionSavings {
  private @Nullable Arrived arrived;

  private record Arrived(Ipv6Packet packet, RunningAssociation association, int octets) {}

  /** Counts what a packet of this association saved; of a received packet once it is opened. */
  void saved(Ipv6Packet packet, RunningAssociation association, int octets) {
    if (association.receives()) {
      arrived = new Arrived(packet, association, octets);
    } else {
      association.saved(octets);
    }
  }

  /** All that protects this packet was verified. */
  void opened(Ipv6Packet packet) {
    Arrived last = arrived;
    if (last != null && last.packet().equals(packet)) {
      last.association().saved(last.octets());
    }
    arrived = null;
  }
}
