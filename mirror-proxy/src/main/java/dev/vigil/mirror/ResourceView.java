package dev.vigil.mirror;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One mirrored resource as an operator sees it. What is null was never told or never came.
 *
 * @param path below {@code /ms/{id}/}, percent-encoded
 * @param type {@code rt} of its link
 * @param unit of the last measurement
 * @param text the last value as text
 * @param number whether the value is a number, so that it can be drawn
 * @param seq the sequence number of its update; 0 before the first
 */
public record ResourceView(
    String path,
    @Nullable String type,
    @Nullable String unit,
    @Nullable String text,
    boolean number,
    long seq,
    @Nullable Instant arrived,
    Set<Mark> marks) {}
