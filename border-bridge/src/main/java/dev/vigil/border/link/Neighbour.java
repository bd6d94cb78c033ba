package dev.vigil.border.link;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.ipv6.Ipv6Address;
import java.time.Instant;

/**
 * A node heard directly.
 *
 * @param radio the name of the radio that hears the node
 * @param lqi link quality of the last frame, 0 to 255; -1 if the radio does not report it
 * @param level security level of the last frame
 */
public record Neighbour(
    Eui64 eui64,
    String radio,
    Instant lastSeen,
    int lqi,
    SecurityLevel level,
    LinkStatistics statistics) {
  public Ipv6Address linkLocal() {
    return Ipv6Address.linkLocal(eui64.interfaceId());
  }
}
