package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.jetstream.BatchMessage.BatchId;
import dev.vigil.gateway.store.jetstream.EndpointLane.Attempt;
import dev.vigil.gateway.store.jetstream.EndpointLane.Refusal;
import dev.vigil.gateway.store.jetstream.messages.StreamClient.Answer;
import dev.vigil.gateway.store.jetstream.messages.StreamStart;
import dev.vigil.gateway.store.sqlite.SqliteReplica;
import dev.vigil.gateway.store.sqlite.SqliteReplica.Known;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The consequences of the servers' answers for the attempts of {@link BatchSubmitter}. Used only by
 * the thread {@code cluster}.
 */
final class ServerAnswers {
  /** The time before a refused request is sent again; it doubles up to the maximum. */
  private static final long MIN_RETRY_NANOS = 10_000_000;

  private static final int MAX_DOUBLINGS = 5;

  /** The time in which the replica usually receives what made the servers refuse a message. */
  private static final long MOVED_NANOS = 50_000_000;

  /**
   * The number of answers that lack the version which a caller has seen, before this version counts
   * as made up. Another server may deliver a message to its gateways before the stream's leader
   * answers with it.
   */
  private static final int MAX_OUTDATED = 4;

  private final BatchSubmitter submitter;
  private final SqliteReplica replica;
  private final StreamStart start;
  private final SubmitterThread thread;
  private final LongSupplier nanoTime;

  ServerAnswers(
      BatchSubmitter submitter,
      SqliteReplica replica,
      StreamStart start,
      SubmitterThread thread,
      LongSupplier nanoTime) {
    this.submitter = submitter;
    this.replica = replica;
    this.start = start;
    this.thread = thread;
    this.nanoTime = nanoTime;
  }

  /** Handles the servers' answer to an attempt. */
  void handle(EndpointLane lane, Attempt attempt, Answer answer) {
    if (lane.current != attempt) {
      return;
    }
    switch (answer) {
      case Answer.Stored(long position) -> stored(lane, attempt, position);
      case Answer.Moved() -> {
        attempt.unanswered--;
        attempt.refused = true;
        attempt.failure = "another gateway changes the endpoint at the same time";
        attempt.deadline = nanoTime.getAsLong() + MOVED_NANOS;
        if (attempt.before.version() == 0) {
          submitter.ask(lane, attempt); // The replica may have forgotten the name.
        }
      }
      case Answer.Refused(String reason, boolean lasting) -> {
        attempt.unanswered--;
        attempt.failure = reason;
        later(attempt);
        if (lasting && attempt.unanswered == 0) {
          submitter.giveUp(lane, attempt);
        }
      }
      case Answer.Unknown(String reason) -> {
        attempt.failure = reason;
        later(attempt);
      }
      case Answer.Last(long position, byte[] octets) -> found(lane, attempt, position, octets);
      case Answer.Start(long position) -> begins(lane, attempt, position);
    }
  }

  /** Handles a subject without messages: they were removed from the stream, or are lost. */
  private void begins(EndpointLane lane, Attempt attempt, long first) {
    start.reach(first);
    if (attempt.before.position() >= first) {
      thread.lose(lost(lane.name, attempt.before.position()));
    } else if (attempt.message != null) {
      submitter.send(lane, attempt);
    } else if (thread.appliedPosition() >= first - 1) {
      settle(lane, attempt);
    } else {
      later(attempt);
    }
  }

  private void stored(EndpointLane lane, Attempt attempt, long position) {
    BatchMessage message = attempt.message;
    if (message == null) {
      return;
    }
    BatchId batch = attempt.submission.id();
    submitter.acknowledged(batch, position);
    if (position > thread.appliedPosition()) {
      lane.acknowledged = message.after(position, attempt.hash);
    } else if (submitter.takeStored(position) != null && submitter.isPublished(batch)) {
      thread.lose(lost(lane.name, position)); // The replica has another message there.
      return;
    }
    submitter.end(lane, attempt);
    submitter.proceed(lane);
  }

  /** Handles the last message of a subject that differs from what the replica knows. */
  private void found(EndpointLane lane, Attempt attempt, long position, byte[] octets) {
    if (position == 0 && attempt.before.position() > 0) {
      submitter.askStart(lane, attempt);
      return;
    }
    if (position < attempt.before.position()) {
      thread.lose(lost(lane.name, attempt.before.position()));
      return;
    }
    if (position > 0) {
      start.notAfter(position);
    }
    long applied = thread.appliedPosition();
    boolean isForgotten = position > 0 && position <= applied && replica.known(lane.name) == null;
    if (isForgotten) {
      forgotten(lane, attempt, position, octets);
    } else if (attempt.message == null && position <= Math.max(applied, 0)) {
      settle(lane, attempt);
    } else if (position == attempt.before.position() && attempt.message != null) {
      submitter.send(
          lane, attempt); // The message that made the servers refuse it was never stored.
    } else {
      // The replica is about to receive the message, which then decides.
      later(attempt);
    }
  }

  private void later(Attempt attempt) {
    long wait = MIN_RETRY_NANOS << Math.min(attempt.retries++, MAX_DOUBLINGS);
    attempt.deadline = nanoTime.getAsLong() + wait;
  }

  /** Refuses or decides a batch again, because the replica is as new as the stream's leader. */
  private void settle(EndpointLane lane, Attempt attempt) {
    Known before = submitter.before(lane);
    Batch batch = attempt.submission.batch();
    Optional<SubmitResult> refusal = batch.refusal(before.high(), before.version());
    if (attempt.outdated < MAX_OUTDATED
        && refusal.filter(one -> BatchSubmitter.mayBeBehind(one, batch)).isPresent()) {
      attempt.outdated++;
      later(attempt);
      return;
    }
    submitter.end(lane, attempt);
    if (refusal.isPresent()) {
      submitter.refuse(new Refusal(before.position(), attempt.submission, refusal.get()));
    } else {
      lane.waiting.addFirst(attempt.submission);
    }
    submitter.proceed(lane);
  }

  /**
   * Continues a name that this replica has forgotten as a new endpoint, which other replicas then
   * put in place of the one that they still know. A name that ever had a sequence number is never
   * forgotten.
   */
  private void forgotten(EndpointLane lane, Attempt attempt, long position, byte[] octets) {
    try {
      if (BatchMessage.decode(octets).high() > 0) {
        thread.lose(lost(lane.name, position));
        return;
      }
    } catch (SignedObjectException e) {
      thread.lose(lost(lane.name, position));
      return;
    }
    submitter.end(lane, attempt);
    lane.forgotten = new Known("", 0, 0, position, BatchMessage.hash(octets));
    lane.waiting.addFirst(attempt.submission);
    submitter.proceed(lane);
  }

  static StoreException lost(EndpointName name, long position) {
    return new StoreException(
        "the replica and the cluster differ for %s at position %d: the cluster has lost data; restart this gateway, which then repairs it"
            .formatted(name, position));
  }
}
