/**
 * The TUN device between the mesh and the kernel, with packet filter, rate limits and router
 * advertisements. This is the only package that calls foreign functions (JEP 454).
 *
 * <p>Threads: a {@code TunDevice} has one, which reads packets and passes them on. Any thread may
 * call {@code write}. {@code StatefulFirewall}, {@code PacketRateLimiter} and {@code
 * RouterAdvertiser} have no thread and belong to the pipeline thread.
 */
@NullMarked
package dev.vigil.border.tun;

import org.jspecify.annotations.NullMarked;
