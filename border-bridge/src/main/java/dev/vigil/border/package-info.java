/**
 * The border bridge: carries 802.15.4 frames to and from IPv6.
 *
 * <p>The codec packages are pure functions and state machines; {@code radio}, {@code ether}, {@code
 * tun}, {@code host} and {@code capture} do I/O; {@code Bridge} wires the pipeline and holds no
 * protocol code.
 *
 * <p>Threads: one pipeline thread ("bridge-pipeline"), which alone touches reassembly, routing,
 * security and address state ({@code LinkPort}, {@code Router}, {@code LinkGuard}, {@code World},
 * {@code Host}, {@code RplRoot}). Each radio link has its own, which only read frames and hand them
 * on through the pipeline's bounded queue: "ether" for the virtual radio, "zep:..." for a node of
 * another process's air, "...-read" and "...-write" for a SLIP line, whose session their lock
 * guards; "tun-..." reads the kernel's device. Californium's and Scandium's threads come in through
 * {@code MeshConnector} and {@code MeshSocket}, which make tasks of the pipeline. {@code Drops} and
 * {@code NeighbourTable} are concurrent, so that anybody may read them. Codecs are called, never
 * running.
 *
 * <p>The end: first the radios' threads, then the pipeline, then the device that it writes to with
 * its reader, then the captures. What still waits in the pipeline is dropped.
 */
@NullMarked
package dev.vigil.border;

import org.jspecify.annotations.NullMarked;
