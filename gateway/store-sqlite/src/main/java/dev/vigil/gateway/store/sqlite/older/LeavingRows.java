package dev.vigil.gateway.store.sqlite.older;

/**
 * Rows of a slot that become older facts.
 *
 * @param endpoint number of the endpoint
 * @param keys of the rows, ascending
 */
public record LeavingRows(long endpoint, String slot, long[] keys) {}
