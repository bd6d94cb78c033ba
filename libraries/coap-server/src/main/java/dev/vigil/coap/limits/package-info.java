/**
 * Places that senders share fairly ({@link dev.vigil.coap.limits.FairPool}): by source address, /64
 * and /48. {@code docs/threats.md} leads to the bounds that stand on it.
 *
 * <p>Threads: none of its own; any thread may call.
 */
@NullMarked
package dev.vigil.coap.limits;

import org.jspecify.annotations.NullMarked;
