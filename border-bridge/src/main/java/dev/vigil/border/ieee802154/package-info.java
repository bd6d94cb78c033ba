/**
 * IEEE 802.15.4 MAC frames of versions 2003, 2006 and 2015, and their security (CCM*).
 *
 * <p>Threads: none. All types are values or pure functions, except {@link
 * dev.vigil.border.ieee802154.LinkKey}, {@link dev.vigil.border.ieee802154.FrameCounter} and {@link
 * dev.vigil.border.ieee802154.ReplayTable}, which belong to the thread that opens and seals frames.
 */
@NullMarked
package dev.vigil.border.ieee802154;

import org.jspecify.annotations.NullMarked;
