package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.older.LeavingRows;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of the file that their slots no longer keep. Readers skip them; the store's thread
 * deletes them. Any thread may call it.
 */
final class SupersededRows {
  private final List<Long> keys = new ArrayList<>();

  /** The rows among them that become older facts. */
  private final List<OlderRow> older = new ArrayList<>();

  /**
   * @param slot the shared instance of the name
   */
  private record OlderRow(EndpointEntry endpoint, String slot, long key) {
    boolean isOf(EndpointEntry other, String otherSlot) {
      return endpoint == other && slot.equals(otherSlot);
    }
  }

  /** Adds a row that is only deleted. */
  synchronized void add(long key) {
    keys.add(key);
  }

  /** Adds a row that becomes an older fact of its slot. */
  synchronized void addOlder(EndpointEntry endpoint, String slot, long key) {
    keys.add(key);
    older.add(new OlderRow(endpoint, slot, key));
  }

  /** Must be called when a slot no longer keeps older facts: its rows are then only deleted. */
  synchronized void dropOlder(EndpointEntry endpoint, String slot) {
    older.removeIf(row -> row.isOf(endpoint, slot));
  }

  /** The keys of all rows, ascending. */
  synchronized long[] keys() {
    return keys.stream().mapToLong(key -> key).sorted().toArray();
  }

  /** The rows that become older facts, in runs of one slot. */
  synchronized List<LeavingRows> older() {
    List<LeavingRows> runs = new ArrayList<>();
    int first = 0;
    for (int i = 1; i <= older.size(); i++) {
      OlderRow run = older.get(first);
      if (i == older.size() || !older.get(i).isOf(run.endpoint, run.slot)) {
        long[] keys = older.subList(first, i).stream().mapToLong(OlderRow::key).toArray();
        runs.add(new LeavingRows(run.endpoint.identity.number(), run.slot, keys));
        first = i;
      }
    }
    return runs;
  }

  /** The keys of the rows that become older facts of a slot. */
  synchronized long[] older(EndpointEntry endpoint, String slot) {
    return older.stream()
        .filter(row -> row.isOf(endpoint, slot))
        .mapToLong(OlderRow::key)
        .toArray();
  }

  synchronized int count() {
    return keys.size();
  }

  synchronized void clear() {
    keys.clear();
    older.clear();
  }
}
