package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.jetstream.messages.StreamConsumer;
import dev.vigil.gateway.store.jetstream.messages.StreamMessages;
import dev.vigil.gateway.store.jetstream.messages.StreamStart;
import dev.vigil.gateway.store.jetstream.messages.Subjects;
import dev.vigil.gateway.store.sqlite.LoggedChange.BrokenLogException;
import dev.vigil.gateway.store.sqlite.SqliteReplica;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.MessageInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
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

  /** Without a message or heartbeat for this time, the consumer is lost. */
  private static final Duration SILENCE = Duration.ofMillis(1600);

  private static final Duration RETRY = Duration.ofMillis(100);

  /**
   * The time for the first answer to a request. A request that arrives before a leader is elected
   * is never answered. The time doubles up to the maximum, because busy servers need more.
   */
  private static final Duration MIN_ANSWER = Duration.ofMillis(500);

  private static final int MAX_DOUBLINGS = 3;

  /** The time after which a missing message is lost; a new leader may not know it yet. */
  private static final Duration LOST = Duration.ofSeconds(3);

  /** The time between two questions whether the stream still has the replica's newest message. */
  private static final Duration BETWEEN = Duration.ofMillis(250);

  private final Connection connection;
  private final FeedStream stream;
  private final StreamMessages messages;
  private final StreamStart start;
  private final SqliteReplica replica;
  private final Subjects subjects;
  private final SubmitterThread submitter;
  private final LongSupplier nanoTime;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** The position up to which the stream may lack messages. */
  private final long gaps;

  /** The position of the next message; used only by the thread {@code replica}. */
  private long next;

  /**
   * The hash of the message before it; empty if there is none. Used only by the thread {@code
   * replica}.
   */
  private byte[] newest;

  /** Requests to compare the stream's end with the replica's. */
  private final AtomicInteger requested = new AtomicInteger();

  /**
   * The requests that are done. Used only by the thread {@code replica}, like the following fields.
   */
  private int verified;

  /** Nanoseconds before which no further question is asked. */
  private long notBefore;

  /** The position that the stream lacked at the last question; 0 if it had it. */
  private long missing;

  /** Nanoseconds at which it was missing first. */
  private long missingSince;

  /** Whether the last attempt to read failed; written only by the thread {@code replica}. */
  private volatile boolean interrupted;

  /** The requests in a row that were not answered; used only by the thread {@code replica}. */
  private int unanswered;

  /**
   * Whether the last message or heartbeat did not come in time. Used only by the thread {@code
   * replica}.
   */
  private boolean silent;

  private volatile @Nullable StreamConsumer reading;
  private @Nullable Thread thread;

  LogFollower(
      Connection connection,
      FeedStream stream,
      StreamStart start,
      SqliteReplica replica,
      Subjects subjects,
      SubmitterThread submitter,
      byte[] newest,
      LongSupplier nanoTime) {
    this.connection = connection;
    this.stream = stream;
    this.messages = new StreamMessages(connection, stream.name(), MIN_ANSWER);
    this.start = start;
    this.replica = replica;
    this.subjects = subjects;
    this.submitter = submitter;
    this.gaps = replica.gaps();
    this.next = submitter.appliedPosition() + 1;
    this.newest = newest;
    this.nanoTime = nanoTime;
    this.notBefore = nanoTime.getAsLong();
  }

  /** Begins to read after the newest message of the replica. */
  void start() {
    thread = Thread.ofPlatform().name("replica").daemon().start(this::run);
  }

  /** Ends the thread. Messages that it has read may still be applied. */
  void close() throws InterruptedException {
    stopped.countDown();
    StreamConsumer waiting = reading;
    if (waiting != null) {
      waiting.close(); // The thread would wait for the next heartbeat.
    }
    Thread running = thread;
    if (running != null) {
      running.interrupt(); // It may wait for a full disk.
      running.join();
    }
  }

  /**
   * Requests a comparison of the stream's end with the replica's, because the stream may have lost
   * its end.
   */
  void requestVerification() {
    requested.incrementAndGet();
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
        } catch (IOException | JetStreamApiException | RuntimeException e) {
          noteFailure(e);
          if (reading == null) {
            stopped.await(RETRY.toMillis(), TimeUnit.MILLISECONDS);
          }
        }
      }
    } catch (InterruptedException e) {
      if (stopped.getCount() > 0) {
        submitter.halt(new StoreException("the thread that fills the replica was interrupted", e));
      }
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

  /**
   * Reads until the consumer is silent or has skipped a message. Then a new consumer is created,
   * unless the former one sends again: its server may return before the servers can create another
   * consumer.
   */
  private void follow() throws IOException, JetStreamApiException, InterruptedException {
    StreamConsumer former = reading;
    if (former != null && silent && !handle(former.next(RETRY))) {
      return;
    }
    if (former == null || silent) {
      reading = StreamConsumer.create(connection, stream.name(), next, answerTime());
      if (former != null) {
        former.close();
      }
      requestVerification();
    }
    StreamConsumer current = reading;
    noteRecovery();
    do {
      verify();
    } while (!isStopped() && current != null && handle(current.next(SILENCE)) && !silent);
  }

  /**
   * @return false when the consumer has skipped messages and is not used any more
   */
  private boolean handle(@Nullable Message message)
      throws IOException, JetStreamApiException, InterruptedException {
    silent = message == null;
    if (message == null || message.isStatusMessage() || take(message)) {
      return true;
    }
    StreamConsumer skipped = reading;
    reading = null;
    if (skipped != null) {
      skipped.close();
    }
    fetch();
    return false;
  }

  /**
   * Checks that the stream still has the newest message of the replica, and those that the servers
   * have acknowledged to this gateway since. Otherwise its servers have lost their newest messages,
   * and others may follow in their place.
   */
  private void verify() throws InterruptedException {
    int asked = requested.get();
    long now = nanoTime.getAsLong();
    if (asked == verified || newest.length == 0 || now - notBefore < 0) {
      return;
    }
    notBefore = now + BETWEEN.toNanos();
    long position = next - 1;
    try {
      byte[] found = messages.hashNow(position);
      long acknowledged = submitter.acknowledgedPosition();
      boolean isSame = Arrays.equals(found, newest);
      if (isSame && (acknowledged <= position || messages.range().last() >= acknowledged)) {
        verified = asked;
        missing = 0;
      } else if (found == null && isRemoved(position)) {
        verified = asked;
        requireNotBehind();
      } else if (found == null || isSame) {
        requireSoon(isSame ? acknowledged : position, now);
      } else {
        loseMessage(position);
      }
    } catch (IOException | JetStreamApiException | RuntimeException e) {
      // The stream has no leader at present; the next turn asks again.
      log.debug("the end of the stream {} is not known", stream.name(), e);
    }
  }

  private void requireSoon(long position, long now) {
    if (missing != position) {
      missing = position;
      missingSince = now;
    } else if (now - missingSince >= LOST.toNanos()) {
      loseMessage(position);
    }
  }

  private void loseMessage(long position) {
    submitter.lose(
        new StoreException(
            "the stream %s has lost or replaced its message %d: restart this gateway, which then repairs it"
                .formatted(stream.name(), position)));
  }

  private boolean isRemoved(long position) throws IOException, JetStreamApiException {
    start.reach(messages.range().first());
    return position < start.position();
  }

  /** The next start begins with a snapshot. */
  private void requireNotBehind() {
    if (next < start.position()) {
      submitter.lose(
          new StoreException(
              "the stream %s begins at position %d, after this replica at %d: restart this gateway, which then begins with a snapshot"
                  .formatted(stream.name(), start.position(), next - 1)));
    }
  }

  private Duration answerTime() {
    return MIN_ANSWER.multipliedBy(1L << Math.min(unanswered, MAX_DOUBLINGS));
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
    } else if (position < next) {
      requestVerification(); // The servers may have gone back.
    }
    return position < next;
  }

  /** Reads the next message from the stream's leader, because the consumer has skipped it. */
  private void fetch() throws IOException, JetStreamApiException, InterruptedException {
    MessageInfo found =
        connection.jetStreamManagement().getNextMessage(stream.name(), next, subjects.all());
    long position = found.getSeq();
    if (position > next) {
      if (isRemoved(next)) {
        requireNotBehind();
        return;
      }
      if (next > gaps) {
        submitter.lose(
            new StoreException(
                "the stream %s has lost its message %d: restart this gateway, which then repairs it"
                    .formatted(stream.name(), next)));
        return;
      }
      log.warn(
          "the stream {} lacks the messages {} to {}; a gateway that has them repairs it",
          stream.name(),
          next,
          position - 1);
    }
    byte[] octets = found.getData();
    apply(String.valueOf(found.getSubject()), octets == null ? new byte[0] : octets, position);
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
              "the stream %s has an unreadable message at position %d (%s): upgrade this gateway, or delete the stream and adopt a new one (docs/guide/cluster-operation.md)"
                  .formatted(stream.name(), position, e.line()),
              e));
      return;
    }
    next = position + 1;
    newest = BatchMessage.hash(octets);
    replica
        .apply(message.change(position, newest))
        .whenComplete(
            (result, thrown) -> {
              if (result != null && !(result instanceof SubmitResult.Committed)) {
                log.warn(
                    "the message {} of the stream {} has no effect: it was decided before a newer one that is removed",
                    position,
                    stream.name());
              }
              if (thrown == null) {
                submitter.applied(message, position, result);
              } else if (thrown.getCause() instanceof BrokenLogException) {
                submitter.lose(failure(thrown));
              } else if (!isStopped()) {
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
