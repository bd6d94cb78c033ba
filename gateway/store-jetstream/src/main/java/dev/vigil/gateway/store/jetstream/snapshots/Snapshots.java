package dev.vigil.gateway.store.jetstream.snapshots;

import dev.vigil.gateway.store.jetstream.messages.StreamMessages;
import dev.vigil.gateway.store.jetstream.messages.StreamMessages.Range;
import dev.vigil.gateway.store.jetstream.messages.StreamStart;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread {@code snapshots}. Several gateways that believe they have the duties do no harm: each
 * removes only what a snapshot covers that it has just read.
 */
public final class Snapshots implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Snapshots.class);

  /** The snapshots that are kept. Messages are removed only if the older of the two covers them. */
  private static final int KEPT = 2;

  private static final Duration LOOK = Duration.ofSeconds(30);
  private static final Duration RETRY = Duration.ofMinutes(1);

  /** The least pause after a snapshot, as a multiple of the time that the snapshot took. */
  private static final int PAUSE = 5;

  private final SnapshotBucket bucket;
  private final SnapshotMaker maker;
  private final StreamRemoval removal;
  private final StreamMessages messages;
  private final StreamStart start;
  private final long begin;
  private final String stream;
  private final Schedule schedule;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final long startedAt;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean held;
  private volatile Status status;
  private long notBefore;
  private int failed;

  /** Whether older snapshots and messages were not removed yet after the last snapshot. */
  private boolean untidy;

  /**
   * The times of snapshots, and the messages that stay in the stream although snapshots cover them.
   *
   * @param every time after which a snapshot is made
   * @param messages number of new messages after which it is made earlier
   * @param keepMessages number of messages that stay
   * @param keepAge messages that are younger than this stay
   */
  public record Schedule(Duration every, long messages, long keepMessages, Duration keepAge) {}

  /**
   * @param newest the newest snapshot; null if there is none
   * @param first position of the stream's oldest message
   * @param failed snapshots in a row that this gateway could not make
   */
  public record Status(@Nullable Snapshot newest, long first, int failed) {}

  /**
   * @param begin position at which a replica without a snapshot may begin
   * @param stream id of the stream
   */
  public Snapshots(
      SnapshotBucket bucket,
      SnapshotMaker maker,
      StreamRemoval removal,
      StreamMessages messages,
      StreamStart start,
      long begin,
      String stream,
      Schedule schedule,
      Clock clock,
      LongSupplier nanoTime) {
    this.bucket = bucket;
    this.maker = maker;
    this.removal = removal;
    this.messages = messages;
    this.start = start;
    this.begin = begin;
    this.stream = stream;
    this.schedule = schedule;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.startedAt = nanoTime.getAsLong();
    this.notBefore = startedAt;
    this.status = new Status(null, start.position(), 0);
    this.thread = Thread.ofPlatform().name("snapshots").daemon().start(this::run);
  }

  public Status status() {
    return status;
  }

  /** Lets this gateway make snapshots. */
  public void begin() {
    held = true;
  }

  /** A step that has begun is finished: it does no harm beside another gateway's. */
  public void end() {
    held = false;
  }

  private void run() {
    Duration look = schedule.every().compareTo(LOOK) < 0 ? schedule.every() : LOOK;
    try {
      do {
        try {
          step();
        } catch (IOException | JetStreamApiException | IllegalStateException e) {
          // The cluster is unavailable, and other lines say so.
          log.debug("the snapshots cannot be listed", e);
        }
      } while (!stopped.await(look.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void step() throws IOException, JetStreamApiException, InterruptedException {
    Range range = messages.range();
    start.reach(range.first());
    List<Snapshot> own = own();
    note(own);
    if (held && isDue(own, range)) {
      long began = nanoTime.getAsLong();
      try {
        Snapshot made = maker.make();
        failed = 0;
        untidy = true;
        log.info("stored a snapshot of position {} with {} octets", made.position(), made.octets());
      } catch (IOException | JetStreamApiException | RuntimeException e) {
        failed++;
        log.warn("cannot store a snapshot of the replica; trying again: {}", e.getMessage());
      }
      long now = nanoTime.getAsLong();
      long retry = Math.min(RETRY.toNanos(), schedule.every().toNanos());
      notBefore = now + (failed == 0 ? PAUSE * (now - began) : retry);
      note(own());
    }
    if (held && untidy) {
      try {
        tidy();
        untidy = false;
      } catch (IOException | JetStreamApiException | RuntimeException e) {
        log.warn("cannot remove what snapshots cover; trying again: {}", e.getMessage());
      }
    }
  }

  private List<Snapshot> own() throws IOException, JetStreamApiException, InterruptedException {
    return own(bucket.list());
  }

  /** The snapshots of this stream, without those of messages that the servers have lost. */
  private List<Snapshot> own(List<Snapshot> all) throws IOException, JetStreamApiException {
    long last = messages.range().last();
    return all.stream()
        .filter(one -> one.stream().equals(stream) && one.position() <= last)
        .toList();
  }

  private void note(List<Snapshot> own) {
    status = new Status(own.isEmpty() ? null : own.getFirst(), start.position(), failed);
  }

  private boolean isDue(List<Snapshot> own, Range range) {
    if (range.isEmpty() || nanoTime.getAsLong() - notBefore < 0) {
      return false;
    }
    long every = schedule.every().toNanos();
    if (own.isEmpty()) {
      // Without a snapshot, no replica can begin if messages were removed or lost.
      return range.first() > begin
          || range.last() - begin >= schedule.messages()
          || nanoTime.getAsLong() - startedAt >= every;
    }
    Snapshot newest = own.getFirst();
    long more = range.last() - newest.position();
    return range.first() > newest.position() + 1
        || more >= schedule.messages()
        || more > 0 && age(newest).compareTo(schedule.every()) >= 0;
  }

  /** A snapshot of the future was made by a gateway whose clock was ahead. */
  private Duration age(Snapshot snapshot) {
    return Duration.between(snapshot.at(), clock.instant()).abs();
  }

  /**
   * Deletes older snapshots, then messages that the remaining ones cover. Nothing is deleted while
   * one of these cannot be read.
   */
  private void tidy() throws IOException, JetStreamApiException, InterruptedException {
    List<Snapshot> all = bucket.list();
    List<Snapshot> own = own(all);
    if (own.size() < KEPT) {
      return;
    }
    List<Snapshot> kept = own.subList(0, KEPT);
    for (Snapshot snapshot : kept) {
      if (!isIntact(snapshot)) {
        return;
      }
    }
    for (Snapshot snapshot : all) {
      if (kept.stream().noneMatch(one -> one.name().equals(snapshot.name()))) {
        bucket.delete(snapshot);
      }
    }
    Range range = messages.range();
    long first =
        removal.remove(
            range,
            kept.getLast().position(),
            schedule.keepMessages(),
            schedule.keepAge(),
            clock.instant());
    if (first > range.first()) {
      start.reach(first);
      log.info("removed the messages {} to {} of the stream", range.first(), first - 1);
    }
  }

  private boolean isIntact(Snapshot snapshot) throws JetStreamApiException, InterruptedException {
    String fault = "its checksum differs";
    try {
      if (SnapshotReader.download(bucket, snapshot, OutputStream.nullOutputStream())) {
        return true;
      }
    } catch (IOException e) {
      fault = String.valueOf(e.getMessage());
    }
    log.warn(
        "the snapshot of position {} cannot be read, so no message is removed: {}",
        snapshot.position(),
        fault);
    return false;
  }

  /** Waits for a step that has begun. */
  @Override
  public void close() {
    held = false;
    stopped.countDown();
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
