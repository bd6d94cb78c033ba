/**
 * Bounds that senders share by source address, /64 and /48: places ({@link
 * dev.vigil.coap.limits.FairPool}), rates ({@link dev.vigil.coap.limits.SourceRateLimiter}) and
 * work ({@link dev.vigil.coap.limits.WorkLimiter}). In the mesh they count by radio neighbour and
 * address. {@code docs/threats.md} lists what stands on them.
 *
 * <p>Threads: none of its own; any thread may call.
 */
@NullMarked
package dev.vigil.coap.limits;

import org.jspecify.annotations.NullMarked;
