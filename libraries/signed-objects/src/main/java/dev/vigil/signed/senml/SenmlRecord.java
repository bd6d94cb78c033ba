package dev.vigil.signed.senml;

import org.jspecify.annotations.Nullable;

/**
 * One record of a pack as transmitted, with base fields; absent fields are null (RFC 8428 section
 * 4). Times are in seconds.
 */
public record SenmlRecord(
    @Nullable String baseName,
    @Nullable Double baseTime,
    @Nullable String baseUnit,
    @Nullable Double baseValue,
    @Nullable Double baseSum,
    @Nullable Long baseVersion,
    @Nullable String name,
    @Nullable String unit,
    @Nullable SenmlValue value,
    @Nullable Double sum,
    @Nullable Double time,
    @Nullable Double updateTime) {}
