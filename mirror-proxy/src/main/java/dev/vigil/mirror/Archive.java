package dev.vigil.mirror;

import dev.vigil.directory.state.Store;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what the store keeps of an endpoint's values. */
final class Archive {
  private final Store store;
  private final Memory memory;
  private final Past past;
  private final KeyResource keys;

  Archive(Store store, Memory memory, Past past, KeyResource keys) {
    this.store = store;
    this.memory = memory;
    this.past = past;
    this.keys = keys;
  }

  /** Resources that have values, those included that a later registration no longer names. */
  List<String> paths(Mirrored known) {
    return known.values().stream().map(StoredValue::path).sorted().toList();
  }

  List<ArchivedValue> values(Mirrored known, String path, long after, int limit) {
    return store.history(known.name(), Slots.VALUE + path, after, limit).stream()
        .filter(kept -> kept.body().length > 0)
        .map(kept -> new StoredValue(path, kept.sequence(), kept.at().toEpochMilli(), kept.body()))
        .filter(value -> past.shows(known, value))
        .map(this::value)
        .toList();
  }

  private ArchivedValue value(StoredValue value) {
    String kid = value.kid();
    Set<Mark> marks =
        Stream.of(Mark.DELAYED, Mark.REVOKED)
            .filter(mark -> mark == Mark.DELAYED ? value.delayed() : memory.isRevoked(kid))
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Mark.class)));
    return new ArchivedValue(
        value.path(),
        value.seq(),
        java.time.Instant.ofEpochMilli(value.arrived()),
        value.format(),
        value.signed(),
        value.pack().resolve(value.arrived() / 1000.0),
        marks,
        keys.find(kid));
  }
}
