package dev.vigil.gateway.records;

import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The records of the gateway by kind. Thread-safe. */
public final class Records implements AutoCloseable {
  /** The default maximum number of records of a kind. */
  public static final int DEFAULT_MAX = 10_000;

  private static final String PREFIX = ".records/";
  private static final Pattern KIND = Pattern.compile("[a-z][a-z-]{0,31}");

  private final Store store;
  private final Clock clock;
  private final Map<String, RecordSet<?>> sets = new ConcurrentHashMap<>();

  public Records(Store store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Same as {@link #of(String, Class, int)} with {@link #DEFAULT_MAX} records. */
  public <T> RecordSet<T> of(String kind, Class<T> type) {
    return of(kind, type, DEFAULT_MAX);
  }

  /**
   * The records of a kind, read from the store on the first call.
   *
   * @param kind lower-case letters and hyphens; existing databases contain it, so it must not
   *     change
   * @param type a Java record that Jackson writes and reads. Components marked as {@link Secret}
   *     are left out of the audit trail
   * @param max the maximum number of records of the kind
   */
  @SuppressWarnings("unchecked") // the set was created with this type
  public <T> RecordSet<T> of(String kind, Class<T> type, int max) {
    if (!KIND.matcher(kind).matches()) {
      throw new IllegalArgumentException("not a kind of records: " + kind);
    }
    RecordSet<?> set =
        sets.computeIfAbsent(kind, k -> RecordSet.follow(store, name(k), type, max, clock));
    if (!set.type().equals(type)) {
      throw new IllegalArgumentException("records of kind " + kind + " are of another type");
    }
    return (RecordSet<T>) set;
  }

  /** Whether a change of the feed is about records of a kind. */
  public static boolean isOf(Change change, String kind) {
    return change.endpoint().equals(name(kind));
  }

  /**
   * The records of a kind that a change of the feed wrote, without removals.
   *
   * @throws tools.jackson.core.JacksonException when a record is not of that type
   */
  public static <T> List<Versioned<T>> in(Change change, String kind, Class<T> type) {
    RecordCodec<T> codec = new RecordCodec<>(type);
    return isOf(change, kind)
        ? change.facts().stream()
            .filter(fact -> RecordSet.isRecord(fact) && !fact.isNone())
            .map(
                fact ->
                    new Versioned<>(
                        RecordSet.id(fact),
                        change.position(),
                        change.at(),
                        codec.read(fact.body())))
            .toList()
        : List.of();
  }

  static EndpointName name(String kind) {
    return new EndpointName(PREFIX + kind, "");
  }

  /** The kind of the records under a name in the store. */
  static String kind(EndpointName name) {
    return name.ep().substring(PREFIX.length());
  }

  /** Stops following the feed. The store stays open. */
  @Override
  public void close() {
    sets.values().forEach(RecordSet::close);
  }
}
