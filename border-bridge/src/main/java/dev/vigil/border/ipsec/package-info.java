/**
 * AH and ESP in transport mode (RFC 4302, 4303) with manual keys.
 *
 * <p>Threads: none. Associations hold counters and cipher state and belong to the pipeline thread.
 */
@NullMarked
package dev.vigil.border.ipsec;

import org.jspecify.annotations.NullMarked;
