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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the records of one kind. One batch is on its way at a time, decided by the version of the
 * kind's name in the store; changes that come meanwhile wait and share the next batch. When another
 * gateway was faster, its changes are awaited from the feed, and the batch is decided again.
 */
final class RecordWriter<T> {
  private static final Logger log = LoggerFactory.getLogger(RecordWriter.class);

  /** Changes of one batch at most; each has one or two facts. */
  private static final int MAX_JOINED = 256;

  /** Changes that may wait; more are refused, as the store does. */
  private static final int MAX_WAITING = 200_000;

  private final Place place;
  private final RecordSet<T> records;
  private final RecordCodec<T> codec;
  private final ReentrantLock lock = new ReentrantLock();

  /** These four are guarded by the lock. */
  private final Deque<Write<T>> waiting = new ArrayDeque<>();

  private boolean busy;

  /** The version of the name in the store, as far as the feed has been applied. */
  private long version;

  /** The version that the feed must reach before the next batch is decided. */
  private long awaited;

  /** Where the records of the kind are kept. */
  record Place(Store store, EndpointName name, int max, Clock clock) {}

  /**
   * @param value null: the record is to be removed
   */
  private record Write<T>(
      String id,
      @Nullable T value,
      byte[] body,
      OptionalLong expected,
      Audit audit,
      CompletableFuture<Outcome> result) {}

  RecordWriter(Place place, RecordSet<T> records, RecordCodec<T> codec) {
    this.place = place;
    this.records = records;
    this.codec = codec;
  }

  CompletableFuture<Outcome> submit(
      String id, @Nullable T value, OptionalLong expected, Audit audit) {
    byte[] body = value == null ? new byte[0] : codec.write(value);
    Write<T> write = new Write<>(id, value, body, expected, audit, new CompletableFuture<>());
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
      place.store.submit(batch).whenComplete((result, thrown) -> settle(accepted, result, thrown));
    }
  }

  /** Takes waiting changes, each of another record; null when none of them is allowed. */
  private @Nullable Batch decide(List<Write<T>> accepted, List<Runnable> refusals) {
    List<Fact> facts = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    int size = records.size();
    while (!waiting.isEmpty() && accepted.size() < MAX_JOINED) {
      if (ids.contains(waiting.getFirst().id)) {
        break;
      }
      Write<T> write = waiting.removeFirst();
      Versioned<T> before = records.get(write.id).orElse(null);
      Outcome refusal = refusal(write, before, size);
      if (refusal != null) {
        refusals.add(() -> write.result.complete(refusal));
        continue;
      }
      ids.add(write.id);
      accepted.add(write);
      size += (write.value == null ? 0 : 1) - (before == null ? 0 : 1);
      facts.add(new Fact(RecordSet.slot(write.id), 1, write.body));
      if (write.audit.isRecorded()) {
        @Nullable T former = before == null ? null : before.value();
        facts.add(
            codec.audit(write.audit, Records.kind(place.name), write.id, former, write.value));
      }
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

  private @Nullable Outcome refusal(Write<T> write, @Nullable Versioned<T> before, int size) {
    long present = before == null ? 0 : before.version();
    if (write.expected.orElse(present) != present || write.value == null && before == null) {
      return new Outcome.Conflict(present);
    }
    return before == null && size >= place.max ? new Outcome.Full(place.max) : null;
  }

  private void settle(
      List<Write<T>> writes, @Nullable SubmitResult result, @Nullable Throwable thrown) {
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
      case SubmitResult.VersionMoved(long moved) -> decideAgain(writes, moved);
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

  private void decideAgain(List<Write<T>> writes, long moved) {
    lock.lock();
    try {
      writes.reversed().forEach(waiting::addFirst);
      if (moved < version) {
        // The store has forgotten the name, under which no record was left.
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
      // The store logs its own failures, once for as long as they last.
      log.error("the store could not write; nothing was changed", cause);
    }
  }
}
