package dev.vigil.gateway.store.jetstream.contact;

import dev.vigil.gateway.store.ClusterContact;
import dev.vigil.gateway.store.jetstream.contact.StreamReport.Question;
import dev.vigil.gateway.store.jetstream.messages.LeaderAnswer;
import dev.vigil.store.StoreException;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread {@code cluster-contact}, which asks the stream's leader again and again. A connected
 * server without a majority still sends heartbeats, so only a leader's answers ({@link
 * LeaderAnswer}) prove that this gateway learns what others store.
 */
public final class StreamContact implements AutoCloseable {
  /** The largest difference between this machine's clock and the servers'. */
  static final Duration MAX_DIFFERENCE = Duration.ofMinutes(1);

  /** Without an answer for this time, the contact is lost. Busy servers answer late. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final long PERIOD_SECONDS = 2;

  private final Question question;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private @Nullable ScheduledExecutorService thread;
  private volatile Answer answer;

  private record Answer(StreamReport report, Duration ahead, long nanos) {}

  StreamContact(Question question, Clock clock, LongSupplier nanoTime) {
    this.question = question;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.answer = new Answer(new StreamReport(null, 0, 0, 0), Duration.ZERO, nanoTime.getAsLong());
  }

  /**
   * Asks the leader for the first time.
   *
   * @param anyTime permits clocks that differ
   * @throws StoreException when the clocks differ too much, or there is no answer
   */
  public static StreamContact begin(
      Connection connection, String stream, boolean anyTime, Clock clock, LongSupplier nanoTime) {
    StreamContact contact =
        new StreamContact(StreamReport.about(connection, stream), clock, nanoTime);
    contact.begin(anyTime);
    return contact;
  }

  void begin(boolean anyTime) {
    try {
      ask();
    } catch (IOException | JetStreamApiException e) {
      throw new StoreException(
          "the stream does not answer (%s): start a majority of the NATS servers"
              .formatted(e.getMessage()),
          e);
    }
    Duration ahead = answer.ahead;
    if (!anyTime && ahead.abs().compareTo(MAX_DIFFERENCE) > 0) {
      throw new StoreException(
          "the clock of the NATS servers is %d s %s this gateway's: run NTP on all machines, or allow a weak store for a trial"
              .formatted(ahead.abs().toSeconds(), ahead.isNegative() ? "behind" : "ahead of"));
    }
  }

  private void ask() throws IOException, JetStreamApiException {
    Instant before = clock.instant();
    StreamReport report = question.ask();
    Duration half = Duration.between(before, clock.instant()).dividedBy(2);
    ZonedDateTime there = report.at();
    Duration ahead =
        there == null ? Duration.ZERO : Duration.between(before.plus(half), there.toInstant());
    answer = new Answer(report, ahead, nanoTime.getAsLong());
  }

  /** The replica that follows the stream. */
  public interface Replica {
    /** Whether the replica cannot follow the stream, whatever the leader answers. */
    boolean isFailing();

    /**
     * The newest position that the replica has applied, or that the servers have acknowledged to
     * this gateway.
     */
    long newest();

    /** The leader's stream ends before {@link #newest}, so the servers may have lost messages. */
    void compare();
  }

  public void start(Replica replica) {
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("cluster-contact").daemon().factory());
    thread = started;
    started.scheduleWithFixedDelay(
        () -> step(replica), PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  void step(Replica replica) {
    if (replica.isFailing()) {
      return;
    }
    try {
      long newest = replica.newest();
      ask();
      if (answer.report.last() < newest) {
        replica.compare();
      }
    } catch (IOException | JetStreamApiException | RuntimeException e) {
      // The next step asks again. Health, metrics and answers show the silence.
    }
  }

  /** Whether the leader has not answered for too long. */
  public boolean isLost() {
    return nanoTime.getAsLong() - answer.nanos > PATIENCE.toNanos();
  }

  /**
   * @param failing whether the store cannot follow the stream
   * @param position the newest change that this gateway has
   */
  public ClusterContact present(boolean failing, long position) {
    Answer last = answer;
    long silence = failing ? Math.max(1, nanoTime.getAsLong() - last.nanos) : 0;
    return new ClusterContact(
        Duration.ofNanos(silence),
        Math.max(0, last.report.last() - position),
        last.report.servers(),
        last.report.copies(),
        last.ahead);
  }

  @Override
  public void close() {
    ScheduledExecutorService running = thread;
    if (running != null) {
      running.shutdownNow();
    }
  }
}
