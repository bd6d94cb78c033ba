package dev.vigil.signed.senml;

import org.jspecify.annotations.Nullable;

/**
 * A resolved record (RFC 8428 section 4.6), with full name and absolute time.
 *
 * @param value null when the record has only a sum
 * @param time unix time in seconds
 * @param relative whether the record's time was relative to its arrival, or missing
 */
public record ResolvedRecord(
    String name,
    @Nullable String unit,
    @Nullable SenmlValue value,
    @Nullable Double sum,
    double time,
    @Nullable Double updateTime,
    boolean relative) {}
