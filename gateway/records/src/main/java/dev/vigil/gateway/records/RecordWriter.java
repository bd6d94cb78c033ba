package dev.vigil.gateway.records;

import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the records of one kind. Only one batch is in flight at a time. It is conditional on the
 * version of the kind's name in the store. Changes that arrive meanwhile wait and share the next
 * batch. If another gateway wrote first, the writer waits for its changes in the feed and decides
 * the batch again.
 */
final class RecordWriter<T> {
  private static final Logger log = LoggerFactory.getLogger(RecordWriter.class);

  /** The maximum number of changes in one batch; each has one or two facts. */
  private static final int MAX_JOINED = 256;

  /**
   * The maximum size of a batch of several changes, in octets. A cluster's server accepts messages
   * of 1 MiB by default.
   */
  private static final int MAX_OCTETS = 256 << 10;

  /** The maximum number of waiting changes; further changes are refused, as in the store. */
  private static final int MAX_WAITING = 200_000;

  private final Place place;
  private final RecordSet<T> records;
  private final RecordCodec<T> codec;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, like the next three fields. */
  private final Deque<Write<T>> waiting = new ArrayDeque<>();

  private boolean busy;

  /** The version of the kind's name in the store after the last applied change of the feed. */
  private long version;

  /** The version that the feed must reach before the next batch is decided. */
  private long awaited;

  /** The location and limits of the records of a kind. */
  record Place(Store store, EndpointName name, int max, Clock clock) {}

  /**
   * @param value null: remove the record
   * @param condition of the state on which the change is decided
   */
  private record Write<T>(
      String id,
      @Nullable T value,
      byte[] body,
      OptionalLong expected,
      BooleanSupplier condition,
      Audit audit,
      CompletableFuture<Outcome> result) {}

  RecordWriter(Place place, RecordSet<T> records, RecordCodec<T> codec) {
    this.place = place;
    this.records = records;
    this.codec = codec;
  }

  CompletableFuture<Outcome> submit(
      String id, @Nullable T value, OptionalLong expected, BooleanSupplier condition, Audit audit) {
    byte[] body = value == null ? new byte[0] : codec.write(value);
    Write<T> write =
        new Write<>(id, value, body, expected, condition, audit, new CompletableFuture<>());
    lock.lock();
    try {
      if (waiting.size() >= MAX_WAITING) {
        return CompletableFuture.completedFuture(new Outcome.NotStored());
      }
      waiting.addLast(write);
    } finally {
      lock.unlock();
    }
    submitNext();
    return write.result;
  }

  /** Called after a change of the feed was applied. */
  void reached(long present) {
    lock.lock();
    try {
      version = present;
      if (awaited == 0 || present < awaited) {
        return;
      }
      awaited = 0;
      busy = false;
    } finally {
      lock.unlock();
    }
    submitNext();
  }

  private void submitNext() {
    List<Write<T>> accepted = new ArrayList<>();
    List<Runnable> refusals = new ArrayList<>();
    @Nullable Batch batch = null;
    lock.lock();
    try {
      if (!busy) {
        batch = decide(accepted, refusals);
        busy = batch != null;
      }
    } finally {
      lock.unlock();
    }
    refusals.forEach(Runnable::run);
    if (batch != null) {
      long decided = batch.version().orElseThrow();
      place
          .store
          .submit(batch)
          .whenComplete((result, thrown) -> settle(accepted, decided, result, thrown));
    }
  }

  /**
   * Takes waiting changes of distinct records; returns null when none of the changes is allowed.
   */
  private @Nullable Batch decide(List<Write<T>> accepted, List<Runnable> refusals) {
    List<Fact> facts = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    int size = records.size();
    int octets = 0;
    while (!waiting.isEmpty() && accepted.size() < MAX_JOINED) {
      Write<T> write = waiting.getFirst();
      if (ids.contains(write.id)) {
        break;
      }
      Versioned<T> before = records.get(write.id).orElse(null);
      Outcome refusal = refusal(write, before, size);
      if (refusal != null) {
        waiting.removeFirst();
        refusals.add(() -> write.result.complete(refusal));
        continue;
      }
      List<Fact> changed = facts(write, before);
      octets += changed.stream().mapToInt(fact -> fact.body().length).sum();
      if (octets > MAX_OCTETS && !accepted.isEmpty()) {
        break;
      }
      waiting.removeFirst();
      ids.add(write.id);
      accepted.add(write);
      facts.addAll(changed);
      size += (write.value == null ? 0 : 1) - (before == null ? 0 : 1);
    }
    return accepted.isEmpty()
        ? null
        : new Batch(
            place.name,
            place.clock.instant(),
            OptionalLong.empty(),
            OptionalLong.of(version),
            facts);
  }

  /** The record and, if the change is recorded, its entry in the audit trail. */
  private List<Fact> facts(Write<T> write, @Nullable Versioned<T> before) {
    Fact record = new Fact(RecordSet.slot(write.id), 1, write.body);
    if (!write.audit.isRecorded()) {
      return List.of(record);
    }
    @Nullable T former = before == null ? null : before.value();
    return List.of(
        record, codec.audit(write.audit, Records.kind(place.name), write.id, former, write.value));
  }

  private @Nullable Outcome refusal(Write<T> write, @Nullable Versioned<T> before, int size) {
    long present = before == null ? 0 : before.version();
    if (write.expected.orElse(present) != present
        || write.value == null && before == null
        || !write.condition.getAsBoolean()) {
      return new Outcome.Conflict(present);
    }
    return before == null && size >= place.max ? new Outcome.Full(place.max) : null;
  }

  /**
   * @param decided the version for which the batch was decided
   */
  private void settle(
      List<Write<T>> writes,
      long decided,
      @Nullable SubmitResult result,
      @Nullable Throwable thrown) {
    switch (result) {
      case null -> {
        logUnexpected(thrown);
        free();
        complete(writes, new Outcome.NotStored());
      }
      case SubmitResult.Committed(Change change) -> {
        free();
        complete(writes, new Outcome.Done(change.position()));
      }
      case SubmitResult.VersionMoved(long moved) -> decideAgain(writes, decided, moved);
      case SubmitResult.SequenceUsed used -> throw new IllegalStateException(used.toString());
    }
    submitNext();
  }

  private static <T> void complete(List<Write<T>> writes, Outcome outcome) {
    writes.forEach(write -> write.result.complete(outcome));
  }

  private void free() {
    lock.lock();
    try {
      busy = false;
    } finally {
      lock.unlock();
    }
  }

  private void decideAgain(List<Write<T>> writes, long decided, long moved) {
    lock.lock();
    try {
      writes.reversed().forEach(waiting::addFirst);
      if (moved < decided && version == decided) {
        // The store has forgotten the name because no record was left under it. A version that the
        // feed has reached since is newer than the answer.
        version = moved;
      }
      busy = version < moved;
      awaited = busy ? moved : 0;
    } finally {
      lock.unlock();
    }
  }

  private static void logUnexpected(@Nullable Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : thrown;
    if (!(cause instanceof StoreException)) {
      // The store logs each of its failures once, until it recovers.
      log.error("the store could not write; nothing was changed", cause);
    }
  }
}
