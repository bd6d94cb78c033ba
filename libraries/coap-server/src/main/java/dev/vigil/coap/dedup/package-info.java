/**
 * Detection of duplicate messages (RFC 7252 section 4.5) in bounded memory: {@link
 * dev.vigil.coap.dedup.DedupTable} for the fast path, and Californium's exchange store on the same
 * table, which also chooses message IDs that no open exchange uses.
 *
 * <p>Threads: the tables are lock-free and used by both receivers and workers; a timer sweeps
 * expired entries.
 */
@NullMarked
package dev.vigil.coap.dedup;

import org.jspecify.annotations.NullMarked;
