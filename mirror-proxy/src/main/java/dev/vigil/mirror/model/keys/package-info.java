/**
 * Keys of endpoints as the store keeps them: the present key with the former ones, listed keys,
 * what is known about a key that waits, and their states. Uses {@code refusal}.
 *
 * <p>Threads: none; no clock, store or lock.
 */
@NullMarked
package dev.vigil.mirror.model.keys;

import org.jspecify.annotations.NullMarked;
