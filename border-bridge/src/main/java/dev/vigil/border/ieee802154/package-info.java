/**
 * IEEE 802.15.4 MAC frames of versions 2003, 2006 and 2015, and their security (CCM*).
 *
 * <p>Threads: none. Everything is a value or a pure function, except {@link
 * dev.vigil.border.ieee802154.LinkKey} and {@link dev.vigil.border.ieee802154.ReplayTable}, which
 * belong to the one thread that opens or seals frames.
 */
@NullMarked
package dev.vigil.border.ieee802154;

import org.jspecify.annotations.NullMarked;
