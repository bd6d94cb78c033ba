package dev.vigil.gateway.store.sqlite.older;

/**
 * A superseded fact.
 *
 * @param key of its former row
 * @param sequence the sequence number of its batch
 * @param at arrival in microseconds
 */
public record OlderFact(long key, long sequence, long at, byte[] body) {}
