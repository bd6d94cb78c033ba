package dev.vigil.directory.exchange;

/**
 * Something whose changes can be watched, for instance one mirrored resource or all lookups.
 *
 * @param name unique in the process
 */
public record Topic(String name) {}
