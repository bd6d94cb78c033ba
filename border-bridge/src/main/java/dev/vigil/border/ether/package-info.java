/**
 * The virtual air, for nodes that are processes: 802.15.4 frames as ZEP over UDP on loopback, with
 * topology, loss and airtime; and radios in software, which are nodes of it.
 *
 * <p>Threads: the ether has one, named "ether", which alone touches its {@code Medium}, its {@code
 * NodeTable} and the {@code AckingMac} of its own node; a {@code ZepRadio} has one of its own,
 * named "zep:...", for an ether that another process plays. {@code send} may be called from any
 * thread: it only puts a frame into a bounded queue. Listeners are called on these threads and must
 * not block. {@code Medium}, {@code Topology}, {@code AckingMac} and {@code ZepPacket} are pure:
 * the time comes in as a parameter.
 */
@NullMarked
package dev.vigil.border.ether;

import org.jspecify.annotations.NullMarked;
