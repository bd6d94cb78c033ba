package dev.vigil.mirror.read.history;

import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.mirror.state.HistoryRetention;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.mirror.trust.KeyResource;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.time.Instant;
import java.util.ArrayList;
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

  /**
   * Values with a higher sequence number than {@code after}, in ascending order. A page with fewer
   * than {@code limit} is the last.
   */
  public List<ArchivedValue> values(MirroredEndpoint endpoint, String path, long after, int limit) {
    long tooOld =
        retention
            .oldestVisible(endpoint.name())
            .map(oldest -> lastBefore(endpoint, path, oldest))
            .orElse(0L);
    return visible(
        endpoint, path, tooOld == 0 ? after : Math.max(after, tooOld), limit, store::history);
  }

  /** Values with a lower sequence number than {@code before}, in descending order. */
  public List<ArchivedValue> valuesBack(
      MirroredEndpoint endpoint, String path, long before, int limit) {
    return visible(endpoint, path, before, limit, store::historyBack);
  }

  /** A sequence number up to which every value arrived before a time; 0 if there is none. */
  public long lastBefore(MirroredEndpoint endpoint, String path, Instant at) {
    return store.lastBefore(endpoint.name(), StoreSlots.VALUE + path, at);
  }

  @FunctionalInterface
  private interface Page {
    List<Store.HistoryEntry> read(EndpointName name, String slot, long from, int limit);
  }

  /** Reads on while values are too old to be shown. */
  private List<ArchivedValue> visible(
      MirroredEndpoint endpoint, String path, long from, int limit, Page pages) {
    List<ArchivedValue> found = new ArrayList<>();
    List<Store.HistoryEntry> page;
    long next = from;
    do {
      page = pages.read(endpoint.name(), StoreSlots.VALUE + path, next, limit - found.size());
      for (Store.HistoryEntry entry : page) {
        StoredValue value =
            new StoredValue(path, entry.sequence(), entry.at().toEpochMilli(), entry.body());
        if (retention.isVisible(endpoint, value)) {
          found.add(archived(value));
        }
        next = entry.sequence();
      }
    } while (!page.isEmpty() && found.size() < limit);
    return found;
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
