package dev.vigil.gateway.records;

import java.time.Instant;

/**
 * A stored record.
 *
 * @param version position of its last change in the store's feed. A record that is removed and
 *     created again never repeats an earlier version
 * @param at time of its last change
 */
public record Versioned<T>(String id, long version, Instant at, T value) {}
