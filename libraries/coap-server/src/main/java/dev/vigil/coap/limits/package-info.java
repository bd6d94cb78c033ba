/**
 * Bounds that senders share by source address, /64 and /48: places ({@link
 * dev.vigil.coap.limits.FairPool}), rates ({@link dev.vigil.coap.limits.SourceRateLimiter}) and
 * work ({@link dev.vigil.coap.limits.WorkLimiter}). In the mesh, senders are counted by radio
 * neighbour and address. {@code docs/threats.md} lists the defences that use these bounds.
 *
 * <p>Threads: the package has no threads; any thread may call it.
 */
@NullMarked
package dev.vigil.coap.limits;

import org.jspecify.annotations.NullMarked;
