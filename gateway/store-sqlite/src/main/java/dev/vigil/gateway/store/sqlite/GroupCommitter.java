package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.StoreStatistics.Counts;
import dev.vigil.gateway.store.sqlite.LoggedChange.BrokenLogException;
import dev.vigil.gateway.store.sqlite.memory.ChangeFeed;
import dev.vigil.gateway.store.sqlite.memory.GroupPace;
import dev.vigil.gateway.store.sqlite.rows.StoreOperation;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: a queue of submitted batches, and the thread {@code store}, which writes many
 * batches in one transaction. Any thread may submit.
 */
final class GroupCommitter {
  private static final Logger log = LoggerFactory.getLogger(GroupCommitter.class);

  /** Further batches are refused, so that a slow disk does not exhaust the heap. */
  private static final int MAX_WAITING = 16_384;

  /** Batches in one transaction. */
  private static final int MAX_GROUP = 1024;

  /** The time before a replica tries again to write, for instance to a full disk. */
  private static final long RETRY_NANOS = 500_000_000;

  private final SqliteDatabase database;

  /** Whether a log fills the store. */
  private final boolean isReplica;

  private final EndpointStateIndex index;
  private final ChangeFeed feed;
  private final LongSupplier nanoTime;
  private final BlockingQueue<Work> queue = new ArrayBlockingQueue<>(MAX_WAITING);

  /**
   * Used only by the store's thread; null after a failure, until the next group opens a new writer.
   */
  private @Nullable FeedWriter writer;

  private @Nullable Thread thread;
  private volatile boolean stopped;
  private volatile boolean failing;

  /** Written only by the store's thread. */
  private volatile Counts counts = Counts.NONE;

  /**
   * The failure after which no further change of the log is applied. Written only by the store's
   * thread.
   */
  private volatile @Nullable StoreException broken;

  private sealed interface Work {}

  /** A batch to write, whose outcome is decided here or was decided in a log. */
  private sealed interface Submission extends Work {
    CompletableFuture<SubmitResult> result();
  }

  private record Undecided(Batch batch, CompletableFuture<SubmitResult> result)
      implements Submission {}

  private record Decided(LoggedChange change, CompletableFuture<SubmitResult> result)
      implements Submission {}

  private record Operation<T>(StoreOperation<T> operation, CompletableFuture<T> result)
      implements Work {}

  private record Stop() implements Work {}

  private GroupCommitter(
      SqliteDatabase database,
      EndpointStateIndex index,
      ChangeFeed feed,
      LongSupplier nanoTime,
      boolean isReplica)
      throws SQLException {
    this.database = database;
    this.isReplica = isReplica;
    this.index = index;
    this.feed = feed;
    this.nanoTime = nanoTime;
    this.writer = new FeedWriter(database.openForWriting(), index, isReplica);
  }

  /**
   * @param isReplica whether a log fills the store
   */
  static GroupCommitter start(
      SqliteDatabase database,
      EndpointStateIndex index,
      ChangeFeed feed,
      LongSupplier nanoTime,
      boolean isReplica)
      throws SQLException {
    GroupCommitter committer = new GroupCommitter(database, index, feed, nanoTime, isReplica);
    // Runs before the index is read, so that names left by earlier runs are not loaded again.
    committer.maintain(FeedWriter::forgetAll);
    committer.thread = Thread.ofPlatform().name("store").daemon().start(committer::run);
    return committer;
  }

  CompletableFuture<SubmitResult> submit(Batch batch) {
    Undecided submission = new Undecided(batch, new CompletableFuture<>());
    return enqueue(submission, submission.result);
  }

  /**
   * Applies the next change of the log; waits while many changes wait for the disk.
   *
   * @return completes once the change is durable and every follower has seen it; exceptionally if
   *     neither this change nor a later one can be applied
   */
  CompletableFuture<SubmitResult> apply(LoggedChange change) throws InterruptedException {
    Decided submission = new Decided(change, new CompletableFuture<>());
    while (!stopped) {
      if (queue.offer(submission, RETRY_NANOS, TimeUnit.NANOSECONDS)) {
        return stopped && queue.remove(submission)
            ? CompletableFuture.failedFuture(closed())
            : submission.result;
      }
    }
    return CompletableFuture.failedFuture(closed());
  }

  /** Runs an operation after the batches that wait. */
  <T> CompletableFuture<T> run(StoreOperation<T> operation) {
    Operation<T> work = new Operation<>(operation, new CompletableFuture<>());
    return enqueue(work, work.result);
  }

  private <T> CompletableFuture<T> enqueue(Work work, CompletableFuture<T> result) {
    if (stopped) {
      return CompletableFuture.failedFuture(closed());
    }
    if (!queue.offer(work)) {
      return CompletableFuture.failedFuture(
          new StoreException(
              "the store is overloaded: " + MAX_WAITING + " changes wait for the disk; try again"));
    }
    // The thread may have ended after the check and before the offer.
    if (stopped && queue.remove(work)) {
      return CompletableFuture.failedFuture(closed());
    }
    return result;
  }

  void requireOpen() {
    if (stopped) {
      throw closed();
    }
  }

  private static StoreException closed() {
    return new StoreException("the store is closed");
  }

  Counts counts() {
    return counts;
  }

  int waiting() {
    return queue.size();
  }

  /** Whether the last group could not be written. */
  boolean isFailing() {
    return failing;
  }

  /** Commits the batches submitted so far, then ends the thread. */
  void stop() throws InterruptedException {
    stopped = true;
    queue.put(new Stop());
    Thread running = thread;
    if (running != null) {
      running.join();
    }
  }

  private void run() {
    List<Work> drained = new ArrayList<>(MAX_GROUP);
    List<Submission> group = new ArrayList<>(MAX_GROUP);
    List<Operation<?>> operations = new ArrayList<>();
    GroupPace pace = new GroupPace(isReplica, nanoTime.getAsLong());
    boolean stopping = false;
    while (!stopping) {
      try {
        drained.add(queue.take());
      } catch (InterruptedException e) {
        log.warn("the store's thread was interrupted; it ends only when the store is closed");
        continue;
      }
      LockSupport.parkNanos(pace.next() - nanoTime.getAsLong());
      long started = nanoTime.getAsLong();
      queue.drainTo(drained, MAX_GROUP - 1);
      for (Work work : drained) {
        switch (work) {
          case Submission submission -> group.add(submission);
          case Operation<?> operation -> operations.add(operation);
          case Stop() -> stopping = true;
        }
      }
      if (!group.isEmpty()) {
        commitOrFail(group);
      }
      operations.forEach(this::runOrFail);
      pace.written(drained.size(), started, nanoTime.getAsLong());
      drained.clear();
      group.clear();
      operations.clear();
    }
    maintain(FeedWriter::deleteSuperseded);
    closeWriter();
  }

  /** Work on the file that no caller waits for. */
  @FunctionalInterface
  private interface Upkeep {
    void run(FeedWriter writer) throws SQLException;
  }

  /** A failure here does not change the outcome of a group, so it is only logged. */
  private void maintain(Upkeep upkeep) {
    FeedWriter open = writer;
    if (open != null) {
      try {
        upkeep.run(open);
      } catch (SQLException e) {
        log.warn("{}", database.explainAndNote(e).getMessage());
        closeWriter();
      }
    }
  }

  private void commitOrFail(List<Submission> group) {
    long from = nanoTime.getAsLong();
    @Nullable List<SubmitResult> results = null;
    while (results == null) {
      try {
        results = commit(group);
      } catch (SQLException | RuntimeException | Error e) {
        if (group.size() > 1) {
          // Retry the batches one by one, because one bad batch must not make the others fail.
          group.forEach(one -> commitOrFail(List.of(one)));
          return;
        }
        StoreException explained =
            e instanceof BrokenLogException found ? found.explained() : database.explainAndNote(e);
        logFirst(explained);
        if (!mayRetry(e)) {
          counts = counts.plus(new Counts(0, 0, 1, 0, 0));
          broken = isReplica ? explained : null;
          group.getFirst().result().completeExceptionally(explained);
          return;
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
    // Outside the try block: what is committed must not be committed again.
    acknowledge(group, results, from);
  }

  /** A replica skips no change: it tries until it can write, is closed, or is damaged. */
  private boolean mayRetry(Throwable failure) {
    return isReplica
        && !stopped
        && broken == null
        && failure instanceof SQLException e
        && !SqliteDatabase.isDamage(e);
  }

  private void acknowledge(List<Submission> group, List<SubmitResult> results, long from) {
    long nanos = nanoTime.getAsLong() - from;
    failing = false;
    List<Change> changes = new ArrayList<>(results.size());
    for (SubmitResult result : results) {
      if (result instanceof SubmitResult.Committed(Change change)) {
        changes.add(change);
      }
    }
    feed.publish(changes);
    counts = counts.plus(new Counts(changes.size(), results.size() - changes.size(), 0, 1, nanos));
    for (int i = 0; i < results.size(); i++) {
      group.get(i).result().complete(results.get(i));
    }
    maintain(FeedWriter::forgetExcess);
  }

  private <T> void runOrFail(Operation<T> work) {
    T result;
    try {
      result = writer().run(work.operation);
    } catch (SQLException | RuntimeException | Error e) {
      closeWriter();
      work.result.completeExceptionally(database.explainAndNote(e));
      return;
    }
    work.result.complete(result);
  }

  private FeedWriter writer() throws SQLException {
    FeedWriter open = writer;
    if (open == null) {
      open = new FeedWriter(database.openForWriting(), index, isReplica);
      writer = open;
    }
    return open;
  }

  private List<SubmitResult> commit(List<Submission> group) throws SQLException {
    FeedWriter open = writer();
    try {
      List<SubmitResult> results = new ArrayList<>(group.size());
      open.begin();
      for (Submission submission : group) {
        results.add(
            switch (submission) {
              case Undecided(Batch batch, _) -> open.write(batch);
              case Decided(LoggedChange change, _) -> apply(open, change);
            });
      }
      open.commit();
      return results;
    } catch (SQLException | RuntimeException | Error e) {
      // Closing rolls back. After an error the driver's statements are not reliable.
      closeWriter();
      throw e;
    }
  }

  private SubmitResult apply(FeedWriter open, LoggedChange change) throws SQLException {
    if (broken != null) {
      throw broken;
    }
    if (open.mustCommitBefore(change)) {
      open.commit();
      open.begin();
    }
    return open.apply(change);
  }

  private void closeWriter() {
    FeedWriter closing = writer;
    writer = null;
    if (closing != null) {
      try {
        closing.close();
      } catch (SQLException e) {
        log.warn("{}", database.explain(e).getMessage());
      }
    }
  }

  /** Logs only the first of consecutive failures. Each submitter receives its own failure. */
  private void logFirst(StoreException failure) {
    if (!failing) {
      failing = true;
      log.error("{}", failure.getMessage());
    }
  }
}
