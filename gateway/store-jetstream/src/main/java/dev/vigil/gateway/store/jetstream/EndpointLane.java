package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.jetstream.BatchMessage.BatchId;
import dev.vigil.gateway.store.sqlite.SqliteReplica.Known;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.SubmitResult;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one endpoint that this gateway has not answered. At most one of them is in flight;
 * the next is decided on the state that the servers acknowledged. Used only by the submitter's
 * thread.
 */
final class EndpointLane {
  final EndpointName name;
  final String subject;
  final Deque<Submission> waiting = new ArrayDeque<>();

  /** Refusals that were decided on a state which the replica has not applied yet. */
  final Deque<Refusal> refusals = new ArrayDeque<>();

  /** The question in flight; null while there is none. */
  @Nullable Attempt current;

  /** The state after the newest acknowledged batch, until the replica has applied it. */
  @Nullable Known acknowledged;

  /**
   * The newest message of a name that this replica has forgotten, as the place where a new endpoint
   * begins; null if it is not known.
   */
  @Nullable Known forgotten;

  /** Whether the lane waits for a place among the messages in flight. */
  boolean queued;

  EndpointLane(EndpointName name, String subject) {
    this.name = name;
    this.subject = subject;
  }

  boolean isIdle() {
    return current == null && acknowledged == null && waiting.isEmpty() && refusals.isEmpty();
  }

  /**
   * A batch that this gateway must answer.
   *
   * @param since nanoseconds when it was submitted
   */
  record Submission(BatchId id, Batch batch, long since, CompletableFuture<SubmitResult> result) {}

  /** A refusal that is reported once the replica has applied a position. */
  record Refusal(long position, Submission submission, SubmitResult result) {}

  /**
   * A question to the servers about one submission: a message to store, or, without a message, how
   * far the endpoint has come.
   */
  static final class Attempt {
    final Submission submission;
    final Known before;
    final @Nullable BatchMessage message;
    final byte[] octets;
    final byte[] hash;

    /** The messages sent whose outcome is not known. While it is 0, nothing was stored. */
    int unanswered;

    /** Whether the servers found another message than the expected one. */
    boolean refused;

    /** Nanoseconds at which the attempt is examined again. */
    long deadline;

    int retries;

    /** The answers of the servers that lacked the version which the caller has seen. */
    int outdated;

    String failure = "no answer";

    Attempt(Submission submission, Known before, @Nullable BatchMessage message, byte[] octets) {
      this.submission = submission;
      this.before = before;
      this.message = message;
      this.octets = octets;
      this.hash = message == null ? octets : BatchMessage.hash(octets);
    }
  }
}
