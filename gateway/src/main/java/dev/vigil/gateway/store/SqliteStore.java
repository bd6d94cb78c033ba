package dev.vigil.gateway.store;

import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Outcome;
import dev.vigil.directory.state.Store;
import dev.vigil.directory.state.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State in one SQLite file. What is acknowledged was synced to disk: WAL with {@code
 * synchronous=FULL}, many batches to a sync. See the package for the threads.
 */
public final class SqliteStore implements Store {
  private static final Logger log = LoggerFactory.getLogger(SqliteStore.class);
  private static final String FILE = "vigil.db";

  /** Batches that may wait; more are refused, so that a slow disk does not fill the memory. */
  private static final int WAITING = 16_384;

  /** Batches to one sync. */
  private static final int GROUP = 1024;

  /**
   * From one sync to the next while several batches come at a time: what a sync costs is shared by
   * more of them. A batch alone does not wait.
   */
  private static final long PACE_NANOS = 5_000_000;

  private final Path folder;
  private final FolderLock lock;
  private final Database database;

  /**
   * Open as long as the store is, so that SQLite's index of the log stays in memory: a transaction
   * whose sync failed is in the log but not in the index, and must not come back to life.
   */
  private final Connection anchor;

  /** The store's thread's own; null after a failure, until the next group opens another. */
  private @Nullable Ledger ledger;

  /** What is on disk; moved on by the store's thread alone. */
  private final Standings standings;

  private final Readers readers;
  private final Feed feed = new Feed();
  private final BlockingQueue<Work> queue = new ArrayBlockingQueue<>(WAITING);
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean failing;
  private volatile Figures figures = new Figures(0, 0, 0, 0);

  private sealed interface Work {}

  private record Submission(Batch batch, CompletableFuture<Outcome> outcome) implements Work {}

  private record Stop() implements Work {}

  /**
   * What the store did since it was opened.
   *
   * @param landed batches on disk
   * @param refused by the sequence or version rule
   * @param failed because the disk did
   * @param syncs transactions, each with one fsync
   */
  public record Figures(long landed, long refused, long failed, long syncs) {}

  /**
   * Opens the store in a folder, which is made when there is none and then belongs to this process.
   *
   * @throws StoreException when the folder cannot be written or is in use, or the database is
   *     damaged or of a newer version; the sentence says which, and the way out
   */
  public static SqliteStore open(Path folder) {
    FolderLock lock = FolderLock.take(folder);
    try {
      Database database = new Database(folder.resolve(FILE));
      database.migrate();
      Connection anchor = database.openForReading();
      Standings standings = Standings.read(anchor);
      return new SqliteStore(folder, lock, database, anchor, standings);
    } catch (StoreException e) {
      lock.close();
      throw e;
    } catch (SQLException e) {
      lock.close();
      throw new Database(folder.resolve(FILE)).explain(e);
    }
  }

  private SqliteStore(
      Path folder, FolderLock lock, Database database, Connection anchor, Standings standings)
      throws SQLException {
    this.folder = folder;
    this.lock = lock;
    this.database = database;
    this.anchor = anchor;
    this.standings = standings;
    this.ledger = new Ledger(database.openForWriting(), standings);
    this.readers = new Readers(database, standings);
    this.thread = Thread.ofPlatform().name("store").daemon().start(this::run);
  }

  @Override
  public CompletableFuture<Outcome> submit(Batch batch) {
    if (batch.facts().size() > Standings.MAX_FACTS) {
      throw new IllegalArgumentException("a batch has at most " + Standings.MAX_FACTS + " facts");
    }
    Submission submission = new Submission(batch, new CompletableFuture<>());
    if (closed) {
      return CompletableFuture.failedFuture(new StoreException("the store is closed"));
    }
    if (!queue.offer(submission)) {
      return CompletableFuture.failedFuture(
          new StoreException(
              "the store is overloaded: " + WAITING + " changes wait for the disk; try again"));
    }
    if (closed && queue.remove(submission)) {
      return CompletableFuture.failedFuture(new StoreException("the store is closed"));
    }
    return submission.outcome;
  }

  @Override
  public Subscription changes(long after, Consumer<Change> follower) {
    return feed.follow(
        after,
        follower,
        (from, reader) -> readers.read(with -> with.changes(from, standings.superseded(), reader)));
  }

  @Override
  public Subscription changes(String slot, long after, Consumer<Change> follower) {
    return feed.follow(
        after,
        change -> {
          if (change.isAbout(slot)) {
            follower.accept(change);
          }
        },
        (from, reader) ->
            readers.read(with -> with.changes(slot, from, standings.superseded(), reader)));
  }

  @Override
  public Optional<Endpoint> endpoint(EndpointName name) {
    if (closed) {
      throw new StoreException("the store is closed");
    }
    return standings.endpoint(name);
  }

  @Override
  public List<Kept> history(EndpointName name, String slot, long afterSequence, int limit) {
    return readers.read(
        reader -> reader.history(() -> standings.keys(name, slot), afterSequence, limit));
  }

  @Override
  public List<Change> trail(String slot, @Nullable EndpointName name, long after, int limit) {
    return readers.read(reader -> reader.trail(slot, name, after, limit));
  }

  @Override
  public List<Change> trailBack(String slot, @Nullable EndpointName name, long before, int limit) {
    return readers.read(reader -> reader.trailBack(slot, name, before, limit));
  }

  /** The data folder: it is there, and this process's alone. */
  public Path folder() {
    return folder;
  }

  public Figures figures() {
    return figures;
  }

  /** How many batches wait for the disk just now. */
  public int waiting() {
    return queue.size();
  }

  /** Whether the last group could not be written. */
  public boolean isFailing() {
    return failing;
  }

  /** Lands what was submitted before, then closes the file and lets go of the folder. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try {
      queue.put(new Stop());
      thread.join();
      readers.close();
      anchor.close();
    } catch (SQLException e) {
      throw database.explain(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while closing the store", e);
    } finally {
      lock.close();
    }
  }

  private void run() {
    List<Work> drained = new ArrayList<>(GROUP);
    List<Submission> group = new ArrayList<>(GROUP);
    long started = System.nanoTime();
    boolean busy = false;
    boolean stopping = false;
    while (!stopping) {
      try {
        drained.add(queue.take());
      } catch (InterruptedException e) {
        log.warn("the store's thread does not stop on interrupts, only with the store");
        continue;
      }
      if (busy) {
        LockSupport.parkNanos(started + PACE_NANOS - System.nanoTime());
      }
      started = System.nanoTime();
      queue.drainTo(drained, GROUP - 1);
      busy = drained.size() > 1;
      for (Work work : drained) {
        switch (work) {
          case Submission submission -> group.add(submission);
          case Stop() -> stopping = true;
        }
      }
      if (!group.isEmpty()) {
        landOrFail(group);
      }
      drained.clear();
      group.clear();
    }
    tidy();
    closeLedger();
  }

  private void tidy() {
    Ledger writing = ledger;
    if (writing != null) {
      try {
        writing.tidy();
      } catch (SQLException e) {
        log.warn("{}", database.explain(e).getMessage());
      }
    }
  }

  private void landOrFail(List<Submission> group) {
    List<Outcome> outcomes;
    try {
      outcomes = land(group);
    } catch (SQLException | RuntimeException | Error e) {
      if (group.size() > 1) {
        // One batch that cannot be written must not take the others with it.
        group.forEach(one -> landOrFail(List.of(one)));
      } else {
        StoreException explained = database.explain(e);
        tell(explained);
        count(0, 0, 1);
        group.getFirst().outcome.completeExceptionally(explained);
      }
      return;
    }
    failing = false;
    List<Change> changes = new ArrayList<>(outcomes.size());
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Landed(Change change)) {
        changes.add(change);
      }
    }
    feed.publish(changes);
    count(changes.size(), outcomes.size() - changes.size(), 0);
    for (int i = 0; i < outcomes.size(); i++) {
      group.get(i).outcome.complete(outcomes.get(i));
    }
  }

  private List<Outcome> land(List<Submission> group) throws SQLException {
    Ledger writing = ledger;
    if (writing == null) {
      writing = new Ledger(database.openForWriting(), standings);
      ledger = writing;
    }
    try {
      List<Outcome> outcomes = new ArrayList<>(group.size());
      writing.begin();
      for (Submission submission : group) {
        outcomes.add(writing.land(submission.batch));
      }
      writing.commit();
      return outcomes;
    } catch (SQLException | RuntimeException | Error e) {
      // Closing rolls back. After an error the driver's statements cannot be relied on.
      closeLedger();
      throw e;
    }
  }

  private void closeLedger() {
    Ledger closing = ledger;
    ledger = null;
    if (closing != null) {
      try {
        closing.close();
      } catch (SQLException e) {
        log.warn("{}", database.explain(e).getMessage());
      }
    }
  }

  /** Once for a row of failures; each caller learns of its own. */
  private void tell(StoreException failure) {
    if (!failing) {
      failing = true;
      log.error("{}", failure.getMessage());
    }
  }

  /** Only the store's thread writes the figures. */
  private void count(int landed, int refused, int failed) {
    Figures f = figures;
    figures =
        new Figures(
            f.landed + landed, f.refused + refused, f.failed + failed, f.syncs + 1 - failed);
  }
}
