package dev.vigil.mirror.read.history;

import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.mirror.state.HistoryRetention;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.mirror.trust.KeyResource;
import dev.vigil.store.Store;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reads the stored values of an endpoint together with their signatures and keys. */
public final class ArchiveReader {
  private final Store store;
  private final MirrorState state;
  private final HistoryRetention retention;
  private final KeyResource keyResource;

  public ArchiveReader(
      Store store, MirrorState state, HistoryRetention retention, KeyResource keyResource) {
    this.store = store;
    this.state = state;
    this.retention = retention;
    this.keyResource = keyResource;
  }

  /** Paths of the resources that have values, whether registered or not. */
  public List<String> paths(MirroredEndpoint endpoint) {
    return endpoint.values().stream().map(StoredValue::path).sorted().toList();
  }

  /** Values with a higher sequence number than {@code after}, in ascending order. */
  public List<ArchivedValue> values(MirroredEndpoint endpoint, String path, long after, int limit) {
    return visible(
        endpoint, path, store.history(endpoint.name(), StoreSlots.VALUE + path, after, limit));
  }

  /** Values with a lower sequence number than {@code before}, in descending order. */
  public List<ArchivedValue> valuesBack(
      MirroredEndpoint endpoint, String path, long before, int limit) {
    return visible(
        endpoint, path, store.historyBack(endpoint.name(), StoreSlots.VALUE + path, before, limit));
  }

  private List<ArchivedValue> visible(
      MirroredEndpoint endpoint, String path, List<Store.HistoryEntry> entries) {
    return entries.stream()
        .filter(entry -> entry.body().length > 0)
        .map(
            entry ->
                new StoredValue(path, entry.sequence(), entry.at().toEpochMilli(), entry.body()))
        .filter(value -> retention.isVisible(endpoint, value))
        .map(this::archived)
        .toList();
  }

  private ArchivedValue archived(StoredValue value) {
    String kid = value.kid();
    Set<ValueMark> marks = EnumSet.noneOf(ValueMark.class);
    if (value.delayed()) {
      marks.add(ValueMark.DELAYED);
    }
    if (state.isRevoked(kid)) {
      marks.add(ValueMark.REVOKED);
    }
    return new ArchivedValue(
        value.path(),
        value.seq(),
        Instant.ofEpochMilli(value.arrived()),
        value.format(),
        value.signed(),
        value.pack().resolve(value.arrived() / 1000.0),
        marks,
        keyResource.find(kid));
  }
}
