/**
 * The border bridge: carries 802.15.4 frames to and from IPv6.
 *
 * <p>The codec packages are pure functions and state machines; {@code radio}, {@code tun}, {@code
 * host} and {@code capture} do I/O; {@code Bridge} wires the pipeline and holds no protocol code.
 *
 * <p>Threads: one per radio link, which only reads frames and hands them on, and one pipeline
 * thread, which alone touches reassembly, routing and address state. Codecs are called, never
 * running.
 */
@NullMarked
package dev.vigil.border;

import org.jspecify.annotations.NullMarked;
