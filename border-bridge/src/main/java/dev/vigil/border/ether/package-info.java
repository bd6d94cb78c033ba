/**
 * The virtual air, whose nodes are processes, and the software radios of the gateway. Frames of
 * 802.15.4 travel as ZEP over UDP on loopback, with topology, loss and airtime.
 *
 * <p>Threads: the ether has one, named "ether". Only this thread uses the {@code Medium}, the
 * {@code NodeTable} and the {@code AckingMac} of the gateway's node. A {@code ZepRadio}, a node on
 * the ether of another process, has its own thread, named "zep:...". Any thread may call {@code
 * send}, which only queues the frame. Listeners are called on these threads and must not block.
 * {@code Medium}, {@code Topology}, {@code AckingMac} and {@code ZepPacket} are pure: the time is a
 * parameter.
 */
@NullMarked
package dev.vigil.border.ether;

import org.jspecify.annotations.NullMarked;
