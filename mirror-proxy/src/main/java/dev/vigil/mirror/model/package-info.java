/**
 * Immutable records of the mirror: an endpoint and its parts as the store keeps them (registration
 * lease, key history, held key, command queue, values), their JSON forms, the settings of a domain,
 * and pure rules on them (sequence numbers, paths, links). Uses {@code refusal} and {@code
 * control}.
 *
 * <p>Threads: none; no clock, store or lock.
 */
@NullMarked
package dev.vigil.mirror.model;

import org.jspecify.annotations.NullMarked;
