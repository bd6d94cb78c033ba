/**
 * AH (RFC 4302) and ESP (RFC 4303) in transport mode, with manual keys.
 *
 * <p>Threads: none. Associations hold counters and cipher state and belong to the pipeline thread.
 */
@NullMarked
package dev.vigil.border.ipsec;

import org.jspecify.annotations.NullMarked;
