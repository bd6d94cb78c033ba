/**
 * The common part of the controllers of {@code /api}: errors, paging, waiting for results, limits
 * on reading the archive.
 *
 * <p>Threads: a page of the archive that a stranger asks for is read by a virtual thread of its
 * own, one at a time, while the request's thread waits.
 */
@NullMarked
package dev.vigil.gateway.api;

import org.jspecify.annotations.NullMarked;
