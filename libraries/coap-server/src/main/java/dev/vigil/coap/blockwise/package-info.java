/**
 * Bounded block-wise transfers (RFC 7959): bodies that are being uploaded, and large responses that
 * are being read, each within a share of places or memory for its source.
 *
 * <p>Threads: any; the tables are guarded by their monitors.
 */
@NullMarked
package dev.vigil.coap.blockwise;

import org.jspecify.annotations.NullMarked;
