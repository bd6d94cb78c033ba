/**
 * Keys of endpoints as the store keeps them: the present key with the former keys, listed keys,
 * details of waiting keys, and the states of keys. Uses {@code refusal}.
 *
 * <p>Threads: none; no clock, store or lock.
 */
@NullMarked
package dev.vigil.mirror.model.keys;

import org.jspecify.annotations.NullMarked;
