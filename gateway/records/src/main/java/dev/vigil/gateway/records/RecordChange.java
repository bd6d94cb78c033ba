package dev.vigil.gateway.records;

import org.jspecify.annotations.Nullable;

/**
 * A change of one record.
 *
 * @param position in the store's feed
 * @param before null: the record is new
 * @param after null: the record was removed
 */
public record RecordChange<T>(
    String id, long position, @Nullable Versioned<T> before, @Nullable Versioned<T> after) {}
