package dev.vigil.gateway.alarms.register;

import dev.vigil.gateway.alarms.conditions.AlarmText;
import dev.vigil.gateway.alarms.rules.AlarmRule;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All alarms: the open ones, and a bounded number of cleared ones. Safe for use by any number of
 * threads.
 */
public final class AlarmRegister {
  private static final Logger log = LoggerFactory.getLogger(AlarmRegister.class);

  /** The kind of the records. */
  public static final String KIND = "alarm";

  /**
   * The maximum number of open alarms. Without a limit, strangers could create endpoints that then
   * go missing.
   */
  public static final int MAX_OPEN = 20_000;

  /** The maximum number of open alarms of one rule in one domain. */
  public static final int MAX_OPEN_SHARE = 5_000;

  /** The maximum number of cleared alarms that are kept. */
  public static final int MAX_CLEARED = 5_000;

  /** An alarm that is raised again within this time stays the same alarm. */
  private static final Duration SAME = Duration.ofMinutes(10);

  private static final int TRIES = 5;
  private static final int ID_RADIX = 36;
  private static final int ID_DIGITS = 9;

  private final RecordSet<Alarm> alarms;
  private final Silences silences;
  private final Clock clock;
  private final RandomGenerator random;

  /** The highest id of each condition. Guarded by this object, like the following fields. */
  private final Map<Alarm.Key, String> newest = new HashMap<>();

  private final Map<Share, Integer> open = new HashMap<>();

  /** Ids of open alarms, by their owner and condition. */
  private final Map<String, Map<Alarm.Key, NavigableSet<String>>> owned = new HashMap<>();

  private int openCount;

  /** Ids of cleared alarms, in the order in which they were raised. */
  private final TreeSet<String> cleared = new TreeSet<>();

  private long refused;

  /** False while the alarms of earlier runs are read: they have been logged already. */
  private volatile boolean started;

  private record Share(String rule, @Nullable String d) {
    static Share of(Alarm.Key key) {
      return new Share(key.rule(), key.subject().d());
    }
  }

  public AlarmRegister(Records records, Silences silences, Clock clock, RandomGenerator random) {
    this.alarms = records.of(KIND, Alarm.class, MAX_OPEN + 2 * MAX_CLEARED);
    this.silences = silences;
    this.clock = clock;
    this.random = random;
    alarms.onChange(this::apply);
    started = true;
  }

  /** Called on the feed's thread. */
  private void apply(RecordChange<Alarm> change) {
    Versioned<Alarm> before = change.before();
    Versioned<Alarm> after = change.after();
    synchronized (this) {
      if (before != null && !before.value().isCleared()) {
        count(before.value().key(), -1);
        disown(before.value().key(), change.id());
      }
      cleared.remove(change.id());
      if (after == null) {
        if (before != null) {
          newest.remove(before.value().key(), change.id());
        }
        return;
      }
      Alarm alarm = after.value();
      newest.merge(alarm.key(), change.id(), (a, b) -> a.compareTo(b) > 0 ? a : b);
      if (alarm.isCleared()) {
        cleared.add(change.id());
      } else {
        count(alarm.key(), 1);
        owned
            .computeIfAbsent(alarm.subject().owner(), o -> new HashMap<>())
            .computeIfAbsent(alarm.key(), k -> new TreeSet<>())
            .add(change.id());
      }
    }
    if (before == null || before.value().isCleared() != after.value().isCleared()) {
      log(after.value());
    }
  }

  private void disown(Alarm.Key key, String id) {
    owned.computeIfPresent(
        key.subject().owner(),
        (o, keys) -> {
          keys.computeIfPresent(
              key,
              (k, ids) -> {
                ids.remove(id);
                return ids.isEmpty() ? null : ids;
              });
          return keys.isEmpty() ? null : keys;
        });
  }

  private void count(Alarm.Key key, int change) {
    openCount += change;
    open.merge(Share.of(key), change, (a, b) -> a + b == 0 ? null : a + b);
  }

  /** Logs when an alarm is raised and when it is cleared, but not again while it flaps. */
  private void log(Alarm alarm) {
    if (!started || alarm.count() > 1 || silences.fit(alarm.rule(), alarm.subject())) {
      return;
    }
    if (alarm.isCleared()) {
      log.info("alarm cleared: {}: {}", alarm.rule(), alarm.text());
    } else {
      log.warn("alarm: {}: {}", alarm.rule(), alarm.text());
    }
  }

  public Optional<Versioned<Alarm>> get(String id) {
    return alarms.get(id);
  }

  /**
   * Alarms, the last raised first.
   *
   * @param before only alarms before that id; null: from the newest
   */
  public Stream<Versioned<Alarm>> newestFirst(@Nullable String before) {
    return alarms.descending(before);
  }

  /** The conditions of an owner that have an open alarm. */
  public synchronized Set<Alarm.Key> openOf(String owner) {
    return Set.copyOf(owned.getOrDefault(owner, Map.of()).keySet());
  }

  /** The owners of open alarms. */
  public synchronized Set<String> owners() {
    return Set.copyOf(owned.keySet());
  }

  /** The open alarm of a condition. */
  public Optional<Versioned<Alarm>> open(Alarm.Key key) {
    return newest(key).filter(alarm -> !alarm.value().isCleared());
  }

  /** The newest open alarm of a condition; the newest cleared one if none is open. */
  private Optional<Versioned<Alarm>> newest(Alarm.Key key) {
    String id;
    synchronized (this) {
      NavigableSet<String> ids = openIds(key);
      id = ids.isEmpty() ? newest.get(key) : ids.last();
    }
    return id == null ? Optional.empty() : alarms.get(id);
  }

  private NavigableSet<String> openIds(Alarm.Key key) {
    return owned
        .getOrDefault(key.subject().owner(), Map.of())
        .getOrDefault(key, Collections.emptyNavigableSet());
  }

  public boolean isSilenced(Alarm alarm) {
    return silences.fit(alarm.rule(), alarm.subject());
  }

  /** The number of attempts to raise an alarm that failed because too many were open. */
  public synchronized long refused() {
    return refused;
  }

  /**
   * Raises an alarm unless the condition has an open one.
   *
   * @return completes with whether there is an open alarm now
   */
  public CompletableFuture<Boolean> raise(Alarm.Key key, AlarmRule rule, AlarmText text) {
    Versioned<Alarm> last = newest(key).orElse(null);
    if (last != null && !last.value().isCleared()) {
      return CompletableFuture.completedFuture(true);
    }
    if (isFull(key)) {
      return CompletableFuture.completedFuture(false);
    }
    Instant now = clock.instant();
    Instant end = last == null ? null : last.value().clearedAt();
    if (last != null && end != null && now.isBefore(end.plus(SAME))) {
      return raise(last.id(), last.value().again(text), last.version());
    }
    Alarm alarm =
        new Alarm(
            key.rule(),
            rule.kind(),
            rule.severity(),
            key.subject(),
            text.english(),
            text.german(),
            1,
            now,
            null,
            null);
    return raise(newId(now, last == null ? null : last.id()), alarm, 0);
  }

  private synchronized boolean isFull(Alarm.Key key) {
    boolean full = openCount >= MAX_OPEN || open.getOrDefault(Share.of(key), 0) >= MAX_OPEN_SHARE;
    if (full && refused++ == 0) {
      log.warn("too many alarms are open; new alarms wait until others are cleared");
    }
    return full;
  }

  /** Of two gateways that raise an alarm under different ids, the slower one raises none. */
  private CompletableFuture<Boolean> raise(String id, Alarm alarm, long version) {
    return alarms
        .put(
            id,
            alarm,
            OptionalLong.of(version),
            () -> open(alarm.key()).isEmpty(),
            Audit.UNRECORDED)
        .thenApply(outcome -> outcome instanceof Outcome.Done || open(alarm.key()).isPresent());
  }

  /**
   * Ids sort by the time of the first raising. The ids of a condition ascend even if the clock was
   * set back.
   *
   * @param last the condition's previous id; null: there is none
   */
  private String newId(Instant at, @Nullable String last) {
    long millis = Math.max(at.toEpochMilli(), last == null ? 0 : millis(last) + 1);
    String time = Long.toString(millis, ID_RADIX);
    String more = Long.toString(random.nextLong() >>> 24, ID_RADIX);
    return "0".repeat(Math.max(0, ID_DIGITS - time.length())) + time + "-" + more;
  }

  private static long millis(String id) {
    return Long.parseLong(id, 0, id.indexOf('-'), ID_RADIX);
  }

  /**
   * Clears the open alarm of a condition, if there is one. Clears several if an earlier version
   * raised them.
   */
  public void clear(Alarm.Key key) {
    List<String> ids;
    synchronized (this) {
      ids = List.copyOf(openIds(key));
    }
    ids.forEach(
        id ->
            update(
                id,
                alarm -> alarm.isCleared() ? null : alarm.cleared(clock.instant()),
                Audit.UNRECORDED));
    removeExcess();
  }

  /** Removes the oldest cleared alarms when there are too many. */
  private void removeExcess() {
    List<String> excess;
    synchronized (this) {
      excess = cleared.stream().limit(Math.max(0, cleared.size() - MAX_CLEARED)).toList();
    }
    excess.forEach(id -> alarms.remove(id, OptionalLong.empty(), Audit.UNRECORDED));
  }

  /**
   * Changes an alarm, even if somebody else changes it at the same time.
   *
   * @param change returns null if nothing is left to change
   */
  public CompletableFuture<Outcome> update(
      String id, UnaryOperator<@Nullable Alarm> change, Audit audit) {
    return update(id, change, audit, TRIES);
  }

  private CompletableFuture<Outcome> update(
      String id, UnaryOperator<@Nullable Alarm> change, Audit audit, int left) {
    Versioned<Alarm> present = alarms.get(id).orElse(null);
    if (present == null) {
      return CompletableFuture.completedFuture(new Outcome.Conflict(0));
    }
    Alarm next = change.apply(present.value());
    if (next == null) {
      return CompletableFuture.completedFuture(new Outcome.Done(present.version()));
    }
    return alarms
        .put(id, next, OptionalLong.of(present.version()), audit)
        .thenCompose(
            outcome ->
                outcome instanceof Outcome.Conflict && left > 1
                    ? update(id, change, audit, left - 1)
                    : CompletableFuture.completedFuture(outcome));
  }

  /** Calls a listener with every present alarm and then with every change. */
  public Store.Subscription onChange(Consumer<RecordChange<Alarm>> listener) {
    return alarms.onChange(listener);
  }
}
