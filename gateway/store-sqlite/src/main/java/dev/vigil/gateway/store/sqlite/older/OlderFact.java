package dev.vigil.gateway.store.sqlite.older;

import dev.vigil.gateway.store.sqlite.memory.RowKey;
import dev.vigil.gateway.store.sqlite.rows.FactRow;

/**
 * A superseded fact.
 *
 * @param key of its former row
 * @param sequence the sequence number of its batch
 * @param at arrival in microseconds
 */
public record OlderFact(long key, long sequence, long at, byte[] body) {
  static OlderFact of(FactRow row) {
    return new OlderFact(
        RowKey.of(row.position(), row.ord()), row.sequence(), row.at(), row.body());
  }
}
