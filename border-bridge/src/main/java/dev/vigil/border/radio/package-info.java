/**
 * Radios: how raw 802.15.4 frames reach the bridge and leave it.
 *
 * <p>A {@link dev.vigil.border.radio.RadioLink} speaks in PSDU octets without FCS; what they mean
 * is nobody's business here beyond the addresses and the sequence number that acknowledgements
 * need.
 *
 * <p>Threads: the ether has one, which alone touches its {@code Medium} and the {@code AckingMac}
 * of its own node. A SLIP line has two, a reader that also opens it and a writer; both hold the
 * line's lock while they touch its session, never during I/O. {@code send} may be called from any
 * thread: it only puts a frame into a bounded queue. Listeners are called on the link's threads and
 * must not block. {@code Medium}, {@code Topology}, {@code AckingMac} and {@code ZepPacket} are
 * pure: the time comes in as a parameter.
 */
@NullMarked
package dev.vigil.border.radio;

import org.jspecify.annotations.NullMarked;
