/**
 * The cost of security for a mote. Octets on the air are counted on frames of this module's codecs.
 * Energy, latency and battery life come from a model of the board. Pure functions.
 *
 * <p>Threads: none.
 */
@NullMarked
package dev.vigil.border.cost;

import org.jspecify.annotations.NullMarked;
