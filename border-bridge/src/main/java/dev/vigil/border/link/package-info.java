/**
 * The link layer of the pipeline: one {@code LinkPort} for each radio turns frames into IPv6
 * packets and back (802.15.4, link security, 6LoWPAN, transmit queue); the table of neighbours with
 * their statistics; and the table of the neighbour that carries each address's packets.
 *
 * <p>Threads: all state belongs to the pipeline thread. {@code NeighbourTable}, {@code
 * LastHopTable} and {@code LinkCounters} are concurrent: any thread may read them; {@code
 * NeighbourListener} is called on the pipeline thread.
 */
@NullMarked
package dev.vigil.border.link;

import org.jspecify.annotations.NullMarked;
