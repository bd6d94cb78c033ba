/**
 * Confidential updates (section 7 of the protocol): the keys that a mote and the mirror agree on,
 * how updates open under them, and how they lie sealed in the store.
 *
 * <p>Pure functions of keys and octets; randomness comes in through constructors.
 */
@NullMarked
package dev.vigil.mirror.confidential;

import org.jspecify.annotations.NullMarked;
