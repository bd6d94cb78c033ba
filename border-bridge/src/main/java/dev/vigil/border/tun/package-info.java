/**
 * The way out of the mesh: a TUN device of the kernel, and what may pass it.
 *
 * <p>The only package that calls foreign functions (JEP 454). Threads: a {@code Tun} has one, which
 * reads packets and hands them on; {@code write} may be called from any thread. {@code
 * PacketFilter} and {@code SourceLimit} are pure and belong to the pipeline thread.
 */
@NullMarked
package dev.vigil.border.tun;

import org.jspecify.annotations.NullMarked;
