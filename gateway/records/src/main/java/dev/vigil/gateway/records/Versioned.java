package dev.vigil.gateway.records;

import java.time.Instant;

/**
 * A record as it is stored.
 *
 * @param version position of its last change in the store's feed; a record that was removed and
 *     made again never has an earlier version again
 * @param at time of its last change
 */
public record Versioned<T>(String id, long version, Instant at, T value) {}
