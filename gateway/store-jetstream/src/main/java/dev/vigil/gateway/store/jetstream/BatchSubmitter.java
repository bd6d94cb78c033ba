package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.StoreStatistics.Counts;
import dev.vigil.gateway.store.jetstream.BatchMessage.BatchId;
import dev.vigil.gateway.store.jetstream.EndpointLane.Attempt;
import dev.vigil.gateway.store.jetstream.EndpointLane.Refusal;
import dev.vigil.gateway.store.jetstream.EndpointLane.Submission;
import dev.vigil.gateway.store.jetstream.messages.StreamClient;
import dev.vigil.gateway.store.jetstream.messages.StreamClient.Answer;
import dev.vigil.gateway.store.jetstream.messages.StreamStart;
import dev.vigil.gateway.store.jetstream.messages.Subjects;
import dev.vigil.gateway.store.sqlite.SqliteReplica;
import dev.vigil.gateway.store.sqlite.SqliteReplica.Known;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides batches from the replica and stores their outcomes in the stream. Used only by the thread
 * {@code cluster}, except where a method says otherwise.
 *
 * <p>A message is stored only if the endpoint's last message is the one on which it was decided. So
 * the first message of the endpoint after that position decides about an attempt, whatever the
 * servers answered. If the message has this batch's id, the attempt was stored; otherwise it was
 * not stored and can never be stored. Every replica reads the messages in the same order. Sending a
 * message again therefore cannot store it twice.
 */
final class BatchSubmitter {
  /** The state of an endpoint that no replica has seen. */
  static final Known UNKNOWN = new Known("", 0, 0, 0, new byte[0]);

  /** The messages in flight; the servers queue a limited number for each stream. */
  private static final int MAX_IN_FLIGHT = 1024;

  /** The time after which a message without an answer is sent again. */
  private static final long ANSWER_NANOS = 2_000_000_000;

  private final StreamClient client;
  private final SqliteReplica replica;
  private final Subjects subjects;
  private final StreamStart start;
  private final SubmitterThread thread;
  private final LongSupplier nanoTime;
  private final long patience;

  /** The lanes in use. The store's thread reads it. */
  private final Map<EndpointName, EndpointLane> lanes = new ConcurrentHashMap<>();

  /** The submissions that may be in the stream. The store's thread removes those it has applied. */
  private final Map<BatchId, Submission> published = new ConcurrentHashMap<>();

  /** The batches that the servers have stored and the replica has not applied, by position. */
  private final Map<Long, BatchId> stored = new ConcurrentHashMap<>();

  /** The newest position at which the servers have stored a batch of this gateway. */
  private volatile long acknowledgedPosition;

  private final Deque<EndpointLane> ready = new ArrayDeque<>();
  private int inFlight;

  /** Written only by the thread {@code cluster}. */
  private volatile Counts counts = Counts.NONE;

  BatchSubmitter(
      StreamClient client,
      SqliteReplica replica,
      Subjects subjects,
      StreamStart start,
      SubmitterThread thread,
      LongSupplier nanoTime,
      long patience) {
    this.client = client;
    this.replica = replica;
    this.subjects = subjects;
    this.start = start;
    this.thread = thread;
    this.nanoTime = nanoTime;
    this.patience = patience;
  }

  /** The batches that were refused or failed here. Any thread may call it. */
  Counts counts() {
    return counts;
  }

  boolean isIdle() {
    return lanes.isEmpty();
  }

  void submit(Submission submission) {
    EndpointName name = submission.batch().endpoint();
    EndpointLane lane =
        lanes.computeIfAbsent(name, any -> new EndpointLane(name, subjects.of(name)));
    lane.waiting.addLast(submission);
    advance(lane);
  }

  /** The submission of a batch that the replica has applied; called on the store's thread. */
  @Nullable Submission take(BatchId batch) {
    return published.remove(batch);
  }

  /** Whether a batch may be in the stream and the replica has not applied it. */
  boolean isPublished(BatchId batch) {
    return published.containsKey(batch);
  }

  /** Notes where the servers have stored a batch, which the replica is about to apply there. */
  void acknowledged(BatchId batch, long position) {
    stored.put(position, batch);
    acknowledgedPosition = Math.max(acknowledgedPosition, position);
  }

  /** The newest position at which the servers have stored a batch. Any thread may call it. */
  long acknowledgedPosition() {
    return acknowledgedPosition;
  }

  /** The batch that the servers have stored at a position, once; null if there is none. */
  @Nullable BatchId takeStored(long position) {
    return stored.remove(position);
  }

  /** Whether {@link #applied} must be called for an endpoint; called on the store's thread. */
  boolean waitsFor(EndpointName name) {
    return lanes.containsKey(name);
  }

  /** Reports that the replica has applied a message of an endpoint. */
  void applied(EndpointName name, BatchId batch, long position) {
    EndpointLane lane = lanes.get(name);
    if (lane == null) {
      return;
    }
    Attempt attempt = lane.current;
    if (attempt != null && position > attempt.before.position()) {
      boolean stored = attempt.message != null && attempt.submission.id().equals(batch);
      end(lane, attempt);
      if (!stored) {
        lane.waiting.addFirst(attempt.submission);
      }
    }
    Known acknowledged = lane.acknowledged;
    if (acknowledged != null && acknowledged.position() <= position) {
      lane.acknowledged = null;
    }
    lane.forgotten = null;
    while (!lane.refusals.isEmpty() && lane.refusals.getFirst().position() <= position) {
      refuse(lane.refusals.removeFirst());
    }
    proceed(lane);
  }

  void refuse(Refusal refusal) {
    counts = counts.plus(new Counts(0, 1, 0, 0, 0));
    published.remove(refusal.submission().id());
    refusal.submission().result().complete(refusal.result());
  }

  /** Ends an attempt whose outcome is known. */
  void end(EndpointLane lane, Attempt attempt) {
    lane.current = null;
    if (attempt.message != null) {
      inFlight--;
    }
  }

  /** Continues with what waited for the end of an attempt. */
  void proceed(EndpointLane lane) {
    advance(lane);
    resume();
  }

  private void resume() {
    while (inFlight < MAX_IN_FLIGHT && !ready.isEmpty()) {
      EndpointLane lane = ready.removeFirst();
      lane.queued = false;
      advance(lane);
    }
  }

  /** Decides the next batches of a lane until one of them has to wait for the servers. */
  private void advance(EndpointLane lane) {
    while (lane.current == null && !lane.waiting.isEmpty()) {
      if (inFlight >= MAX_IN_FLIGHT) {
        if (!lane.queued) {
          lane.queued = true;
          ready.addLast(lane);
        }
        return;
      }
      decide(lane, lane.waiting.removeFirst());
    }
    // A result that was completed here may have begun another lane.
    if (lane.isIdle()) {
      lanes.remove(lane.name, lane);
    }
  }

  private void decide(EndpointLane lane, Submission submission) {
    Known before = before(lane);
    Batch batch = submission.batch();
    Optional<SubmitResult> refusal = batch.refusal(before.high(), before.version());
    if (refusal.isEmpty()) {
      publish(lane, submission, before);
    } else if (before != lane.forgotten && mayBeBehind(refusal.get(), batch)) {
      Attempt question = new Attempt(submission, before, null, new byte[0]);
      lane.current = question;
      ask(lane, question);
    } else {
      Refusal decided = new Refusal(before.position(), submission, refusal.get());
      if (before == lane.acknowledged) {
        lane.refusals.addLast(decided);
      } else {
        refuse(decided);
      }
    }
  }

  /** The newest state of an endpoint that is known here. */
  Known before(EndpointLane lane) {
    Known acknowledged = lane.acknowledged;
    if (acknowledged != null) {
      return acknowledged;
    }
    Known known = replica.known(lane.name);
    if (known != null) {
      return known;
    }
    return lane.forgotten == null ? UNKNOWN : lane.forgotten;
  }

  /** Whether the caller has seen a version that this replica may not have applied. */
  static boolean mayBeBehind(SubmitResult refusal, Batch batch) {
    return refusal instanceof SubmitResult.VersionMoved(long version)
        && batch.version().orElse(0) > version;
  }

  private void publish(EndpointLane lane, Submission submission, Known before) {
    Attempt attempt;
    try {
      BatchMessage message = BatchMessage.decide(submission.id(), before, submission.batch());
      attempt = new Attempt(submission, before, message, message.encode());
    } catch (RuntimeException e) {
      fail(submission, new StoreException("the batch cannot be written: " + e.getMessage(), e));
      return;
    }
    lane.current = attempt;
    inFlight++;
    published.put(submission.id(), submission);
    send(lane, attempt);
  }

  void send(EndpointLane lane, Attempt attempt) {
    attempt.deadline = nanoTime.getAsLong() + ANSWER_NANOS;
    OptionalLong expected =
        start.expected(
            lane.name, attempt.before.position(), replica::newest, thread::appliedPosition);
    if (expected.isPresent()) {
      attempt.unanswered++;
      client.publish(
          lane.subject,
          expected.getAsLong(),
          attempt.octets,
          answer -> thread.answered(lane, attempt, answer));
    }
    // Otherwise a newer message is being applied, and then decides.
  }

  void ask(EndpointLane lane, Attempt attempt) {
    attempt.deadline = nanoTime.getAsLong() + ANSWER_NANOS;
    client.last(lane.subject, answer -> thread.answered(lane, attempt, toQuestion(answer)));
  }

  /** Asks whether the messages of an endpoint were removed from the stream. */
  void askStart(EndpointLane lane, Attempt attempt) {
    attempt.deadline = nanoTime.getAsLong() + ANSWER_NANOS;
    client.start(answer -> thread.answered(lane, attempt, toQuestion(answer)));
  }

  /** A refused question says nothing about the messages that were sent. */
  private static Answer toQuestion(Answer answer) {
    return answer instanceof Answer.Refused(String reason, _) ? new Answer.Unknown(reason) : answer;
  }

  /** Sends again what has no answer, and fails what has waited too long and is not stored. */
  void examine() {
    long now = nanoTime.getAsLong();
    for (EndpointLane lane : lanes.values()) {
      Attempt attempt = lane.current;
      if (attempt != null && now - attempt.deadline >= 0) {
        if (attempt.unanswered == 0 && isOverdue(attempt.submission, now)) {
          giveUp(lane, attempt);
        } else if (attempt.refused || attempt.message == null) {
          ask(lane, attempt);
        } else {
          send(lane, attempt);
        }
      }
      // The oldest come first. They were never sent.
      while ((lane.current != null || lane.queued)
          && !lane.waiting.isEmpty()
          && isOverdue(lane.waiting.getFirst(), now)) {
        fail(lane.waiting.removeFirst(), unavailable("earlier changes wait for the cluster"));
      }
    }
    resume();
  }

  private boolean isOverdue(Submission submission, long now) {
    return now - submission.since() > patience;
  }

  /** Asks about everything at once, because the connection has returned. */
  void reconnected() {
    long now = nanoTime.getAsLong();
    lanes.values().stream()
        .map(lane -> lane.current)
        .forEach(
            attempt -> {
              if (attempt != null) {
                attempt.deadline = now;
              }
            });
    examine();
  }

  /** Fails an attempt that is certainly not stored. */
  void giveUp(EndpointLane lane, Attempt attempt) {
    end(lane, attempt);
    fail(attempt.submission, unavailable(attempt.failure));
    proceed(lane);
  }

  private static StoreException unavailable(String reason) {
    return new StoreException("the cluster did not store the change: " + reason);
  }

  private void fail(Submission submission, StoreException cause) {
    counts = counts.plus(new Counts(0, 0, 1, 0, 0));
    published.remove(submission.id());
    submission.result().completeExceptionally(cause);
  }

  /** Fails everything, when the store is closed or cannot continue. */
  void failAll(StoreException cause) {
    List<Submission> all = new ArrayList<>(published.values());
    for (EndpointLane lane : lanes.values()) {
      all.addAll(lane.waiting);
      lane.refusals.forEach(refusal -> all.add(refusal.submission()));
      Attempt attempt = lane.current;
      if (attempt != null) {
        all.add(attempt.submission);
      }
      lane.waiting.clear();
      lane.refusals.clear();
      lane.current = null;
    }
    lanes.clear();
    ready.clear();
    inFlight = 0;
    all.forEach(submission -> fail(submission, cause));
  }
}
