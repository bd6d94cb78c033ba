package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.older.LeavingRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of the file that their slots no longer keep. Readers skip them; the store's thread
 * deletes them. Any thread may call it.
 */
final class SupersededRows {
  private final List<Long> keys = new ArrayList<>();

  /** The rows among them that become older facts. */
  private final List<OlderRows> older = new ArrayList<>();

  /**
   * @param slot the shared instance of the name
   * @param rows their keys, ascending
   */
  private record OlderRows(EndpointEntry endpoint, String slot, long[] rows) {
    boolean isOf(EndpointEntry other, String otherSlot) {
      return endpoint == other && slot.equals(otherSlot);
    }
  }

  /** Adds a row that is only deleted. */
  synchronized void add(long key) {
    keys.add(key);
  }

  /** Adds rows that become older facts of a slot. */
  synchronized void addOlder(EndpointEntry endpoint, String slot, long[] rows) {
    for (long row : rows) {
      keys.add(row);
    }
    older.add(new OlderRows(endpoint, slot, rows));
  }

  /** Must be called when a slot no longer keeps older facts: its rows are then only deleted. */
  synchronized void dropOlder(EndpointEntry endpoint, String slot) {
    older.removeIf(rows -> rows.isOf(endpoint, slot));
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
      OlderRows run = older.get(first);
      if (i == older.size() || !older.get(i).isOf(run.endpoint, run.slot)) {
        runs.add(
            new LeavingRows(
                run.endpoint.identity.number(), run.slot, together(older.subList(first, i))));
        first = i;
      }
    }
    return runs;
  }

  private static long[] together(List<OlderRows> rows) {
    return rows.size() == 1
        ? rows.getFirst().rows
        : rows.stream().flatMapToLong(each -> Arrays.stream(each.rows)).toArray();
  }

  /** The keys of the rows that become older facts of a slot. */
  synchronized long[] older(EndpointEntry endpoint, String slot) {
    return together(older.stream().filter(rows -> rows.isOf(endpoint, slot)).toList());
  }

  synchronized int count() {
    return keys.size();
  }

  synchronized void clear() {
    keys.clear();
    older.clear();
  }
}
