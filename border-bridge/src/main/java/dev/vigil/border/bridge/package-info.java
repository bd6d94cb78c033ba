/**
 * The bridge as one object: opens the radios, wires link layer, router and host, starts and stops
 * the threads.
 *
 * <p>Threads: one pipeline thread ("bridge-pipeline") owns all state between the radios and the
 * host: link ports, reassembly, link security, router, RPL root, host, firewall. Each radio has its
 * own threads, which read frames and queue them for the pipeline: "ether" for the virtual radio,
 * "zep:..." for a node on the ether of another process, "...-read" and "...-write" for a SLIP line.
 * "tun-..." reads the TUN interface. Californium's and Scandium's threads send through {@code
 * MeshConnector} and {@code MeshSocket}, which queue tasks for the pipeline. {@code DropCounters}
 * and {@code NeighbourTable} are concurrent; any thread may read them.
 *
 * <p>{@code Bridge.close} stops the radios' threads first, then the pipeline, then the TUN
 * interface with its reader, then the captures. Pending tasks are dropped.
 */
@NullMarked
package dev.vigil.border.bridge;

import org.jspecify.annotations.NullMarked;
