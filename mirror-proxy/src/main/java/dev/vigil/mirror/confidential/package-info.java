/**
 * Confidential updates (docs/protocol.md section 7): key agreement between a mote and the mirror,
 * decryption of updates, and sealing of the keys in the store. Uses {@code refusal}.
 *
 * <p>Threads: none. Pure functions of keys and octets; randomness is a constructor parameter.
 */
@NullMarked
package dev.vigil.mirror.confidential;

import org.jspecify.annotations.NullMarked;
