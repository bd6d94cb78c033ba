/**
 * Radios: how raw 802.15.4 frames reach the bridge and leave it.
 *
 * <p>A {@link dev.vigil.border.radio.RadioLink} speaks in PSDU octets without FCS; what they mean
 * is nobody's business here beyond the addresses and the sequence number that acknowledgements
 * need.
 *
 * <p>Threads: one per link, which alone touches that link's {@code AckingMac} (the ether's thread
 * for its own node). {@code send} may be called from any thread: it only puts a frame into a
 * bounded queue. Listeners are called on the link's thread and must not block. {@code Medium},
 * {@code Topology}, {@code AckingMac} and {@code ZepPacket} are pure: the time comes in as a
 * parameter.
 */
@NullMarked
package dev.vigil.border.radio;

import org.jspecify.annotations.NullMarked;
