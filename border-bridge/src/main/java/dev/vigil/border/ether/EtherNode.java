package dev.vigil.border.ether;

import dev.vigil.border.ieee802154.Eui64;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a node of the ether.
 *
 * @param index 0 for the gateway's own node; other nodes count from 1 in order of appearance
 * @param eui64 null until it is known
 * @param address the node's UDP source; null for the gateway's own node
 * @param silent time since the node's last packet
 */
public record EtherNode(
    int index, @Nullable Eui64 eui64, @Nullable SocketAddress address, Duration silent) {}
