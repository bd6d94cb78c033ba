/**
 * Bounded block-wise transfers (RFC 7959): uploads in progress, and large responses that clients
 * are reading. Each source has a share of the places or of the memory.
 *
 * <p>Threads: any; the tables are guarded by their monitors.
 */
@NullMarked
package dev.vigil.coap.blockwise;

import org.jspecify.annotations.NullMarked;
