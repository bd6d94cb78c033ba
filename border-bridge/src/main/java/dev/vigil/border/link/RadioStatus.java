package dev.vigil.border.link;

import dev.vigil.border.ieee802154.Eui64;
import org.jspecify.annotations.Nullable;

/**
 * The state of one radio.
 *
 * @param name the port, the host, or the ether
 * @param up whether the radio works now
 * @param eui64 its address; null until the radio has reported it
 * @param waiting packets in its transmit queue, including the packet being sent
 */
public record RadioStatus(
    String name, boolean up, @Nullable Eui64 eui64, int waiting, LinkStatistics statistics) {}
