package dev.vigil.mirror.senml;

import org.jspecify.annotations.Nullable;

/**
 * One record of a pack as it stands on the wire, base fields included; what is absent is null (RFC
 * 8428 section 4). Times in seconds.
 */
public record Item(
    @Nullable String baseName,
    @Nullable Double baseTime,
    @Nullable String baseUnit,
    @Nullable Double baseValue,
    @Nullable Double baseSum,
    @Nullable Long baseVersion,
    @Nullable String name,
    @Nullable String unit,
    @Nullable Value value,
    @Nullable Double sum,
    @Nullable Double time,
    @Nullable Double updateTime) {}
