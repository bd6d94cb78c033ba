package dev.vigil.gateway.records;

import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;

/**
 * Moves and removes all records of a kind, regardless of their type. Only for commands that have
 * exclusive access to the store, with no gateway following it.
 */
public final class RecordTransfer {
  /** The maximum number of facts in one change; below the store's limit. */
  private static final int MAX_FACTS = 500;

  private final Store store;
  private final Instant now;

  public RecordTransfer(Store store, Instant now) {
    this.store = store;
    this.now = now;
  }

  /**
   * Removes all records of a kind.
   *
   * @return their number
   * @throws CompletionException when the store cannot write
   */
  public int removeAll(String kind) {
    Map<String, byte[]> records = records(kind);
    write(kind, records.keySet().stream().map(Fact::none).toList());
    return records.size();
  }

  /**
   * Moves all records of one kind to another kind and keeps their ids.
   *
   * @return their number
   * @throws CompletionException when the store cannot write
   */
  public int moveAll(String from, String to) {
    Map<String, byte[]> records = records(from);
    List<Fact> facts = new ArrayList<>();
    records.forEach((slot, body) -> facts.add(new Fact(slot, 1, body)));
    write(to, facts);
    write(from, records.keySet().stream().map(Fact::none).toList());
    return records.size();
  }

  /** Writes one record. */
  public <T> void put(String kind, String id, T record, Class<T> type) {
    write(kind, List.of(new Fact(RecordSet.slot(id), 1, new RecordCodec<>(type).write(record))));
  }

  /** The record bodies by slot. */
  private Map<String, byte[]> records(String kind) {
    Map<String, byte[]> present = new TreeMap<>();
    store
        .changes(
            Records.name(kind),
            0,
            change -> {
              for (Fact fact : change.facts()) {
                if (!RecordSet.isRecord(fact)) {
                  continue;
                }
                if (fact.isNone()) {
                  present.remove(fact.slot());
                } else {
                  present.put(fact.slot(), fact.body());
                }
              }
            })
        .close();
    return present;
  }

  private void write(String kind, List<Fact> facts) {
    EndpointName name = Records.name(kind);
    for (int from = 0; from < facts.size(); from += MAX_FACTS) {
      List<Fact> part = facts.subList(from, Math.min(facts.size(), from + MAX_FACTS));
      store.submit(new Batch(name, now, OptionalLong.empty(), OptionalLong.empty(), part)).join();
    }
  }
}
