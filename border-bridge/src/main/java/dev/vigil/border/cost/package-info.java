/**
 * The cost of security for a mote: octets on the air, counted on frames of this module's codecs,
 * and energy, latency and battery life from a model of the board. Pure functions.
 *
 * <p>Threads: none.
 */
@NullMarked
package dev.vigil.border.cost;

import org.jspecify.annotations.NullMarked;
