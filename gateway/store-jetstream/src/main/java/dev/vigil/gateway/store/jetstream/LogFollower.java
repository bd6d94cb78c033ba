package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.sqlite.LoggedChange.BrokenLogException;
import dev.vigil.gateway.store.sqlite.SqliteReplica;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.store.StoreException;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.MessageInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread {@code replica}, which reads the stream in order and applies each message to the
 * replica. It begins again at the next message whenever messages are missing or the servers are
 * silent.
 */
final class LogFollower {
  private static final Logger log = LoggerFactory.getLogger(LogFollower.class);

  private static final Duration HEARTBEAT = Duration.ofMillis(500);

  /** Without a message or heartbeat for this time, the consumer is lost. */
  private static final Duration SILENCE = Duration.ofMillis(1600);

  /** The servers remove a consumer that nobody reads after this time. */
  private static final Duration INACTIVE = Duration.ofSeconds(30);

  private static final long RETRY_MILLIS = 100;

  /**
   * The time for the first answer to a request. A request that arrives before a leader is elected
   * is never answered. The time doubles up to the maximum, because busy servers need more.
   */
  private static final Duration MIN_ANSWER = Duration.ofMillis(500);

  private static final int MAX_DOUBLINGS = 3;

  private static final int NO_MESSAGE = 10037;
  private static final String STALLED = "Nats-Consumer-Stalled";

  private final Connection connection;
  private final FeedStream stream;
  private final SqliteReplica replica;
  private final Subjects subjects;
  private final SubmitterThread submitter;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** The position of the next message; used only by the thread {@code replica}. */
  private long next;

  /** Whether the last attempt to read failed; written only by the thread {@code replica}. */
  private volatile boolean interrupted;

  /** The requests in a row that were not answered; used only by the thread {@code replica}. */
  private int unanswered;

  private volatile @Nullable Subscription reading;
  private @Nullable Thread thread;

  LogFollower(
      Connection connection,
      FeedStream stream,
      SqliteReplica replica,
      Subjects subjects,
      SubmitterThread submitter) {
    this.connection = connection;
    this.stream = stream;
    this.replica = replica;
    this.subjects = subjects;
    this.submitter = submitter;
    this.next = replica.position() + 1;
  }

  void start() {
    thread = Thread.ofPlatform().name("replica").daemon().start(this::run);
  }

  /** Ends the thread. Messages that it has read may still be applied. */
  void close() throws InterruptedException {
    stopped.countDown();
    readAgain();
    Thread running = thread;
    if (running != null) {
      running.join();
    }
  }

  /**
   * Begins again with a new consumer without waiting for a heartbeat; called when the connection
   * has returned, because a server that was killed has lost its consumers.
   */
  void readAgain() {
    Subscription waiting = reading;
    if (waiting != null && waiting.isActive()) {
      waiting.unsubscribe();
    }
  }

  /** Whether the stream cannot be read at present. */
  boolean isInterrupted() {
    return interrupted;
  }

  private boolean isStopped() {
    return stopped.getCount() == 0 || submitter.halted() != null;
  }

  private void run() {
    try {
      while (!isStopped()) {
        try {
          follow();
          noteRecovery();
        } catch (IOException | JetStreamApiException | RuntimeException e) {
          noteFailure(e);
          stopped.await(RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException e) {
      submitter.halt(new StoreException("the thread that fills the replica was interrupted", e));
    }
  }

  private void noteFailure(Exception e) {
    unanswered++;
    if (!interrupted && !isStopped()) {
      interrupted = true;
      log.warn(
          "the replica cannot read the stream {}; trying again: {}", stream.name(), e.getMessage());
    }
  }

  private void noteRecovery() {
    unanswered = 0;
    if (interrupted) {
      interrupted = false;
      log.info("the replica reads the stream {} again", stream.name());
    }
  }

  /** Reads with one consumer until it is lost or a message is missing. */
  private void follow() throws IOException, JetStreamApiException, InterruptedException {
    String inbox = connection.createInbox();
    Subscription messages = connection.subscribe(inbox);
    reading = messages;
    try {
      management()
          .addOrUpdateConsumer(
              stream.name(),
              ConsumerConfiguration.builder()
                  .deliverSubject(inbox)
                  .deliverPolicy(DeliverPolicy.ByStartSequence)
                  .startSequence(next)
                  .ackPolicy(AckPolicy.None)
                  .flowControl(HEARTBEAT)
                  .inactiveThreshold(INACTIVE)
                  .memStorage(true)
                  .numReplicas(1)
                  .build());
      noteRecovery();
      while (!isStopped()) {
        Message message = next(messages);
        if (message == null) {
          return;
        }
        if (message.isStatusMessage()) {
          answer(message);
        } else if (!take(message)) {
          fetch();
          return;
        }
      }
    } finally {
      if (messages.isActive()) {
        messages.unsubscribe();
      }
    }
  }

  private static @Nullable Message next(Subscription messages) throws InterruptedException {
    try {
      return messages.nextMessage(SILENCE);
    } catch (IllegalStateException e) {
      return null; // Another thread has ended the subscription.
    }
  }

  private JetStreamManagement management() throws IOException {
    Duration answer = MIN_ANSWER.multipliedBy(1L << Math.min(unanswered, MAX_DOUBLINGS));
    return connection.jetStreamManagement(
        JetStreamOptions.builder().requestTimeout(answer).build());
  }

  /** Lets the servers send more. */
  private void answer(Message status) {
    if (status.getStatus().isFlowControl() && status.getReplyTo() != null) {
      connection.publish(status.getReplyTo(), new byte[0]);
    } else if (status.getHeaders() != null && status.getHeaders().getFirst(STALLED) != null) {
      connection.publish(status.getHeaders().getFirst(STALLED), new byte[0]);
    }
  }

  /**
   * Applies the next message.
   *
   * @return false when messages before this one are missing
   */
  private boolean take(Message message) throws InterruptedException {
    long position = message.metaData().streamSequence();
    if (position == next) {
      apply(message.getSubject(), message.getData(), position);
    }
    return position < next;
  }

  /** Reads the next message from the stream's leader, because the consumer has skipped it. */
  private void fetch() throws IOException, JetStreamApiException, InterruptedException {
    try {
      MessageInfo found = management().getMessage(stream.name(), next);
      byte[] octets = found.getData();
      apply(String.valueOf(found.getSubject()), octets == null ? new byte[0] : octets, next);
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != NO_MESSAGE) {
        throw e;
      }
      submitter.halt(
          new StoreException(
              "the stream %s has lost its message %d: restore the cluster from a gateway's data folder"
                  .formatted(stream.name(), next)));
    }
  }

  private void apply(String subject, byte[] octets, long position) throws InterruptedException {
    BatchMessage message;
    try {
      message = BatchMessage.decode(octets);
      if (!subjects.of(message.endpoint()).equals(subject)) {
        throw SignedObjectException.malformed("its subject belongs to another endpoint");
      }
    } catch (SignedObjectException e) {
      submitter.halt(
          new StoreException(
              "the stream %s has an unreadable message at position %d (%s): upgrade this gateway, or find the program that writes to the stream"
                  .formatted(stream.name(), position, e.line()),
              e));
      return;
    }
    next = position + 1;
    replica
        .apply(message.change(position, BatchMessage.hash(octets)))
        .whenComplete(
            (result, thrown) -> {
              if (thrown == null) {
                submitter.applied(message, position, result);
              } else if (thrown.getCause() instanceof BrokenLogException || !isStopped()) {
                submitter.halt(failure(thrown));
              }
            });
  }

  private static StoreException failure(Throwable thrown) {
    return thrown instanceof StoreException known
        ? known
        : new StoreException("the replica cannot be written: " + thrown.getMessage(), thrown);
  }
}
