/**
 * Refusals: {@code RequestRefused} with its {@code Reason}, thrown by every feature; {@code
 * RefusalMapper}, which turns any failure of a request into one; {@code RefusalCounters}, which
 * counts them by reason and endpoint. This package is the lowest of the module and uses no other
 * package of it.
 *
 * <p>Threads: counters are concurrent maps of adders; the rest is immutable.
 */
@NullMarked
package dev.vigil.mirror.refusal;

import org.jspecify.annotations.NullMarked;
