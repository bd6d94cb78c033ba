/**
 * The virtual air, whose nodes are processes: 802.15.4 frames as ZEP over UDP on loopback, with
 * topology, loss and airtime; and the software radios of the gateway.
 *
 * <p>Threads: the ether has one, named "ether", which alone uses its {@code Medium}, its {@code
 * NodeTable} and the {@code AckingMac} of the gateway's node; a {@code ZepRadio} has its own, named
 * "zep:...", for the ether of another process. Any thread may call {@code send}, which only queues
 * the frame. Listeners are called on these threads and must not block. {@code Medium}, {@code
 * Topology}, {@code AckingMac} and {@code ZepPacket} are pure: the time is a parameter.
 */
@NullMarked
package dev.vigil.border.ether;

import org.jspecify.annotations.NullMarked;
