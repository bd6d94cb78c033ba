package dev.vigil.border.rpl;

import dev.vigil.border.ipv6.Ipv6Address;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a node of the DODAG.
 *
 * @param address its mesh address
 * @param parent null if the node has announced none, or has left
 * @param rank as announced by the node; {@link #UNKNOWN} if the root does not hear the node, or
 *     while the node announces that it has none (INFINITE_RANK)
 * @param hops from the root; {@link #UNKNOWN} without route
 * @param secondsLeft until the route expires; {@link #UNKNOWN} without route
 * @param secondsSilent since the node's last packet of any kind; {@link #UNKNOWN} if there was none
 */
public record RplNode(
    Ipv6Address address,
    @Nullable Ipv6Address parent,
    int rank,
    int hops,
    long secondsLeft,
    long secondsSilent) {
  public static final int UNKNOWN = -1;
}
