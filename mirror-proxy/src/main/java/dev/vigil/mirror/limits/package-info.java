/**
 * Rate limits for each source address and key: failed signature checks, new names, updates and
 * registrations (docs/protocol.md section 3). Uses {@code model} and {@code refusal}.
 *
 * <p>Threads: called by every request; each limiter guards its own buckets.
 */
@NullMarked
package dev.vigil.mirror.limits;

import org.jspecify.annotations.NullMarked;
