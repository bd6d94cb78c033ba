/**
 * The interface of a radio, and its implementations on hardware: boards behind a serial port or
 * TCP. The virtual radios are in {@code ether}.
 *
 * <p>A {@link dev.vigil.border.radio.RadioLink} carries PSDUs without FCS and does not interpret
 * them.
 *
 * <p>Threads: a SLIP line has two, a reader that also opens the port and a writer; the line's lock
 * guards its session and is never held during I/O. Any thread may call {@code send}, which only
 * queues the frame. Listeners are called on the link's threads and must not block.
 */
@NullMarked
package dev.vigil.border.radio;

import org.jspecify.annotations.NullMarked;
