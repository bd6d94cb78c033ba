package dev.vigil.border.link;

import dev.vigil.border.capture.Direction;
import dev.vigil.border.ipv6.Ipv6Packet;

/** Receives each packet whose AH and ESP headers were compressed on the air. */
@FunctionalInterface
public interface SavingListener {
  /**
   * Called by the pipeline thread.
   *
   * @param direction {@link Direction#OUT}: towards a mote
   * @param packet as on the air, with its AH or ESP
   * @param octets saved in its frames; -1 if compression added one
   */
  void saved(Direction direction, Ipv6Packet packet, int octets);
}
