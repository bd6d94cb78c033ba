package dev.vigil.border;

import dev.vigil.border.ieee802154.Eui64;
import org.jspecify.annotations.Nullable;

/**
 * A radio as operators see it.
 *
 * @param name the port, the host, the ether
 * @param up whether it works now
 * @param eui64 its address; null until it has said it
 * @param waiting packets that wait for it, the one being sent included
 */
public record RadioStatus(
    String name, boolean up, @Nullable Eui64 eui64, int waiting, LinkFigures figures) {}
