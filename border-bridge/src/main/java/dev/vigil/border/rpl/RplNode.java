package dev.vigil.border.rpl;

import dev.vigil.border.ipv6.Ipv6Address;
import org.jspecify.annotations.Nullable;

/**
 * A node of the DODAG as the root knows it.
 *
 * @param address its mesh address
 * @param parent who it is reached through; null if it has not said so, or has left
 * @param rank as it announces it; -1 if the root does not hear it
 * @param hops from the root; -1 if there is no route
 * @param secondsLeft until its route expires; -1 without route
 * @param secondsSilent since its last packet, of whatever kind; -1 if there was none
 */
public record RplNode(
    Ipv6Address address,
    @Nullable Ipv6Address parent,
    int rank,
    int hops,
    long secondsLeft,
    long secondsSilent) {}
