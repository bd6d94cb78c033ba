package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.StoreStatistics.Counts;
import dev.vigil.gateway.store.jetstream.BatchMessage.BatchId;
import dev.vigil.gateway.store.jetstream.EndpointLane.Attempt;
import dev.vigil.gateway.store.jetstream.EndpointLane.Submission;
import dev.vigil.gateway.store.jetstream.messages.StreamClient;
import dev.vigil.gateway.store.jetstream.messages.StreamStart;
import dev.vigil.gateway.store.jetstream.messages.Subjects;
import dev.vigil.gateway.store.sqlite.SqliteReplica;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread {@code cluster} and its queue of events: submissions, answers of the servers, and
 * messages that the replica has applied. Any thread may call it.
 */
final class SubmitterThread {
  private static final Logger log = LoggerFactory.getLogger(SubmitterThread.class);

  /**
   * The batches that may wait; further batches are refused, so that they do not exhaust the heap.
   */
  private static final int MAX_WAITING = 16_384;

  /** The time between examinations of what has no answer. */
  private static final long TICK_NANOS = 20_000_000;

  private static final int MAX_DRAINED = 1024;

  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong numbers = new AtomicLong();
  private final long run;
  private final Consumer<String> losses;
  private final Consumer<String> ended;
  private final LongSupplier nanoTime;
  private final BatchSubmitter submitter;
  private final ServerAnswers answers;
  private volatile long appliedPosition;
  private volatile @Nullable StoreException halted;
  private volatile boolean closed;
  private @Nullable Thread thread;

  private sealed interface Event {
    record Submitted(Submission submission) implements Event {}

    record Answered(EndpointLane lane, Attempt attempt, StreamClient.Answer answer)
        implements Event {}

    record Applied(EndpointName name, BatchId batch, long position) implements Event {}

    record Reconnected() implements Event {}

    record Ticked() implements Event {}

    record Halted(StoreException cause) implements Event {}

    record Closed(long deadline) implements Event {}
  }

  /**
   * @param applied the position up to which the replica has applied the stream
   * @param run random first half of the ids of batches
   * @param losses receives the reason when the stream does not continue the replica
   * @param ended receives the reason when nothing more is applied or submitted, after losses
   */
  SubmitterThread(
      StreamClient client,
      SqliteReplica replica,
      Subjects subjects,
      StreamStart start,
      long applied,
      long run,
      Consumer<String> losses,
      Consumer<String> ended,
      LongSupplier nanoTime,
      long patience) {
    this.run = run;
    this.losses = losses;
    this.ended = ended;
    this.nanoTime = nanoTime;
    this.appliedPosition = applied;
    this.submitter = new BatchSubmitter(client, replica, subjects, start, this, nanoTime, patience);
    this.answers = new ServerAnswers(submitter, replica, start, this, nanoTime);
  }

  void start() {
    thread = Thread.ofPlatform().name("cluster").daemon().start(this::run);
  }

  CompletableFuture<SubmitResult> submit(Batch batch) {
    StoreException cause = closed ? new StoreException("the store is closed") : halted;
    if (cause == null && waiting.get() >= MAX_WAITING) {
      cause =
          new StoreException(
              "the store is overloaded: %d changes wait for the cluster; try again"
                  .formatted(MAX_WAITING));
    }
    if (cause != null) {
      return CompletableFuture.failedFuture(cause);
    }
    CompletableFuture<SubmitResult> result = new CompletableFuture<>();
    waiting.incrementAndGet();
    result.whenComplete((done, thrown) -> waiting.decrementAndGet());
    BatchId id = new BatchId(run, numbers.incrementAndGet());
    events.add(new Event.Submitted(new Submission(id, batch, nanoTime.getAsLong(), result)));
    if (closed) {
      // The thread may have ended before it could see the event.
      result.completeExceptionally(new StoreException("the store is closed"));
    }
    return result;
  }

  boolean isClosed() {
    return closed;
  }

  int waiting() {
    return waiting.get();
  }

  Counts counts() {
    return submitter.counts();
  }

  /** The reason why nothing more is applied or submitted; null while the store works. */
  @Nullable StoreException halted() {
    return halted;
  }

  /** The position up to which the replica has applied the stream. */
  long appliedPosition() {
    return appliedPosition;
  }

  /** The newest position at which the servers have stored a batch of this gateway. */
  long acknowledgedPosition() {
    return submitter.acknowledgedPosition();
  }

  /** Called on the store's thread once the replica has applied a message. */
  void applied(BatchMessage message, long position, SubmitResult result) {
    Submission own = submitter.take(message.batch());
    appliedPosition = position;
    BatchId stored = submitter.takeStored(position);
    if (stored != null && !stored.equals(message.batch())) {
      lose(ServerAnswers.lost(message.endpoint(), position));
    }
    if (submitter.waitsFor(message.endpoint())) {
      events.add(new Event.Applied(message.endpoint(), message.batch(), position));
    }
    if (own != null) {
      own.result().complete(result);
    }
  }

  void answered(EndpointLane lane, Attempt attempt, StreamClient.Answer answer) {
    events.add(new Event.Answered(lane, attempt, answer));
  }

  void reconnected() {
    events.add(new Event.Reconnected());
  }

  /** Ends all writing, because the servers have lost data that the replica has, or replaced it. */
  void lose(StoreException cause) {
    end(cause, losses);
  }

  /** Ends all writing, because this gateway cannot go on. */
  void halt(StoreException cause) {
    end(cause, reason -> {});
  }

  /** Only the first cause counts. Reading goes on until the process ends. */
  private void end(StoreException cause, Consumer<String> first) {
    synchronized (this) {
      if (halted != null) {
        return;
      }
      halted = cause;
    }
    String reason = String.valueOf(cause.getMessage());
    log.error("{}", reason);
    events.add(new Event.Halted(cause));
    try {
      first.accept(reason);
    } finally {
      ended.accept(reason);
    }
  }

  /** Waits a limited time for the answers to what was submitted, then ends the thread. */
  void close(long grace) throws InterruptedException {
    closed = true;
    events.add(new Event.Closed(nanoTime.getAsLong() + grace));
    Thread running = thread;
    if (running != null) {
      running.join();
    }
  }

  private void run() {
    List<Event> drained = new ArrayList<>(MAX_DRAINED);
    long examined = nanoTime.getAsLong();
    long deadline = Long.MAX_VALUE;
    while (deadline == Long.MAX_VALUE
        || !submitter.isIdle() && nanoTime.getAsLong() - deadline < 0) {
      try {
        Event first =
            submitter.isIdle() && deadline == Long.MAX_VALUE
                ? events.take()
                : events.poll(TICK_NANOS, TimeUnit.NANOSECONDS);
        if (first != null) {
          drained.add(first);
          events.drainTo(drained, MAX_DRAINED - 1);
        }
      } catch (InterruptedException e) {
        continue; // It ends only when the store is closed.
      }
      for (Event event : drained) {
        if (event instanceof Event.Closed(long until)) {
          deadline = until;
        } else {
          handle(event);
        }
      }
      drained.clear();
      long now = nanoTime.getAsLong();
      if (now - examined >= TICK_NANOS) {
        examined = now;
        handle(new Event.Ticked());
      }
    }
    submitter.failAll(
        new StoreException("the store was closed before the outcome of the change was known"));
  }

  private void handle(Event event) {
    try {
      switch (event) {
        case Event.Submitted(Submission submission) -> submit(submission);
        case Event.Answered(EndpointLane lane, Attempt attempt, StreamClient.Answer answer) ->
            answers.handle(lane, attempt, answer);
        case Event.Applied(EndpointName name, BatchId batch, long position) ->
            submitter.applied(name, batch, position);
        case Event.Reconnected() -> submitter.reconnected();
        case Event.Ticked() -> submitter.examine();
        case Event.Halted(StoreException cause) -> submitter.failAll(cause);
        case Event.Closed(long deadline) -> throw new IllegalStateException("at " + deadline);
      }
    } catch (RuntimeException e) {
      // Followers of futures run here when a batch is refused.
      log.error("an event of the cluster failed", e);
    }
  }

  private void submit(Submission submission) {
    StoreException cause = halted;
    if (cause != null) {
      submission.result().completeExceptionally(cause);
    } else {
      submitter.submit(submission);
    }
  }
}
