package dev.vigil.border;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.ipv6.Ipv6Address;
import java.time.Instant;

/**
 * A node heard directly.
 *
 * @param radio the name of the radio that hears it
 * @param lqi link quality of the last frame, 0 to 255; -1 if the radio does not say
 * @param level of its last frame
 */
public record Neighbour(
    Eui64 eui64,
    String radio,
    Instant lastSeen,
    int lqi,
    SecurityLevel level,
    LinkFigures figures) {
  /** Its link-local address. */
  public Ipv6Address linkLocal() {
    return Ipv6Address.linkLocal(eui64.interfaceId());
  }
}
