package dev.vigil.mirror.senml;

import org.jspecify.annotations.Nullable;

/**
 * A resolved record (RFC 8428 section 4.6): whole name, absolute time.
 *
 * @param value null when there is only a sum
 * @param time unix time, seconds
 * @param relative whether the time was given relative to the arrival (or not at all)
 */
public record Measurement(
    String name,
    @Nullable String unit,
    @Nullable Value value,
    @Nullable Double sum,
    double time,
    @Nullable Double updateTime,
    boolean relative) {}
