package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.AggregateStore;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.store.GatewayStore;
import dev.vigil.gateway.store.sqlite.aggregates.SqliteAggregates;
import dev.vigil.gateway.store.sqlite.folder.DataFolderLock;
import dev.vigil.gateway.store.sqlite.memory.ChangeFeed;
import dev.vigil.gateway.store.sqlite.older.SqliteOlderFacts;
import dev.vigil.gateway.store.sqlite.rows.Microseconds;
import dev.vigil.gateway.store.sqlite.rows.StoreOperation;
import dev.vigil.gateway.store.sqlite.rows.StoreTransactions;
import dev.vigil.gateway.store.sqlite.rows.StructureCheck;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.OlderFacts;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the state in one SQLite file. An acknowledged batch has been synced to disk (WAL with
 * {@code synchronous=FULL}); many batches share a sync. The package's documentation lists the
 * threads.
 */
public final class SqliteStore implements GatewayStore {
  private static final Logger log = LoggerFactory.getLogger(SqliteStore.class);

  private final Path folder;
  private final DataFolderLock lock;
  private final SqliteDatabase database;

  /**
   * Stays open as long as the store, so that SQLite keeps its index of the write-ahead log in
   * memory. A transaction whose sync failed is in the log but not in the index, and must not
   * reappear.
   */
  private final Connection anchor;

  /** The state on disk; updated only by the store's thread. */
  private final EndpointStateIndex index;

  private final @Nullable Instant newestTime;
  private final StoreReaderPool readers;
  private final ChangeFeed feed = new ChangeFeed();
  private final GroupCommitter committer;
  private final SqliteAggregates aggregates;
  private final SqliteOlderFacts olderFacts;
  private boolean closed;

  /**
   * Opens the store in a folder, which is created if it is missing and then locked.
   *
   * @param nanoTime monotonic nanoseconds
   * @throws StoreException when the folder is in use or not writable, or the database is damaged or
   *     from a newer version; the message states the fault and the remedy
   */
  public static SqliteStore open(Path folder, LongSupplier nanoTime) {
    return open(folder, nanoTime, null, 0);
  }

  /**
   * @param log the id of the log that fills the store; null for the store of a single gateway
   * @param gaps the position up to which that log lacks messages, for an empty store
   */
  static SqliteStore open(Path folder, LongSupplier nanoTime, @Nullable String log, long gaps) {
    DataFolderLock lock = DataFolderLock.take(folder);
    if (Files.exists(folder.resolve(SqliteFiles.UNFINISHED), LinkOption.NOFOLLOW_LINKS)) {
      lock.close();
      throw new StoreException(
          "a restore into %s did not finish: empty the folder and restore again".formatted(folder));
    }
    SqliteDatabase database = new SqliteDatabase(folder.resolve(SqliteFiles.DATABASE));
    try {
      if (log == null) {
        SqliteFiles.requireDatabaseBesideCompanions(folder);
      }
      database.makePrivate();
      database.migrate();
      ReplicaTables.require(folder, database, log, gaps);
      database.compact();
      if (log == null) {
        database.damage().thenAccept(damage -> SqliteStore.log.error("{}", damage.getMessage()));
      }
      Connection anchor = database.openForReading();
      try {
        return new SqliteStore(folder, lock, database, anchor, nanoTime, log != null);
      } catch (SQLException e) {
        anchor.close();
        throw e;
      }
    } catch (StoreException e) {
      lock.close();
      throw e;
    } catch (SQLException e) {
      lock.close();
      throw database.explain(e);
    }
  }

  private SqliteStore(
      Path folder,
      DataFolderLock lock,
      SqliteDatabase database,
      Connection anchor,
      LongSupplier nanoTime,
      boolean isReplica)
      throws SQLException {
    this.folder = folder;
    this.lock = lock;
    this.database = database;
    this.anchor = anchor;
    this.index =
        StructureCheck.whileReading(
            database::openForReading, () -> EndpointStateIndex.read(anchor));
    if (isReplica) {
      ReplicaTables.read(anchor, index);
    }
    this.newestTime = newestTime(anchor);
    this.readers = new StoreReaderPool(database, index);
    this.committer = GroupCommitter.start(database, index, feed, nanoTime, isReplica);
    StoreTransactions transactions =
        new StoreTransactions() {
          @Override
          public <T> CompletableFuture<T> write(StoreOperation<T> operation) {
            return committer.run(operation);
          }

          @Override
          public <T> T read(StoreOperation<T> operation) {
            return readers.read(reader -> operation.run(reader.connection()));
          }
        };
    this.aggregates = new SqliteAggregates(transactions);
    this.olderFacts = new SqliteOlderFacts(transactions);
  }

  @Override
  public CompletableFuture<SubmitResult> submit(Batch batch) {
    requireFewFacts(batch);
    return committer.submit(batch);
  }

  static void requireFewFacts(Batch batch) {
    if (batch.facts().size() > EndpointStateIndex.MAX_FACTS) {
      throw new IllegalArgumentException(
          "a batch has at most " + EndpointStateIndex.MAX_FACTS + " facts");
    }
  }

  EndpointStateIndex index() {
    return index;
  }

  /** Completes when the running store finds that its file is damaged. */
  CompletableFuture<StoreException> damage() {
    return database.damage();
  }

  /** Runs work on the store's file; notes damage that it finds. */
  <T> T noting(Supplier<T> work) {
    try {
      return work.get();
    } catch (StoreException e) {
      database.note(e);
      throw e;
    }
  }

  StoreReaderPool readers() {
    return readers;
  }

  GroupCommitter committer() {
    return committer;
  }

  @Override
  public Subscription changes(long after, Consumer<Change> follower) {
    return feed.follow(
        after,
        follower,
        (from, reader) -> readers.read(with -> with.changes(from, index.superseded(), reader)));
  }

  @Override
  public Subscription present(Consumer<Change> follower) {
    return feed.follow(
        0,
        follower,
        (from, reader) ->
            readers.read(
                with ->
                    from == 0
                        ? with.newest(reader)
                        : with.changes(from, index.superseded(), reader)));
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
            readers.read(with -> with.changes(slot, from, index.superseded(), reader)));
  }

  @Override
  public Subscription changes(EndpointName name, long after, Consumer<Change> follower) {
    return feed.follow(
        after,
        change -> {
          if (change.endpoint().equals(name)) {
            follower.accept(change);
          }
        },
        (from, reader) ->
            readers.read(with -> with.changes(() -> index.keysAfter(name, from), from, reader)));
  }

  @Override
  public List<Change> page(long after, int limit) {
    return readers.read(with -> with.page(after, index.superseded(), limit));
  }

  @Override
  public Optional<Endpoint> endpoint(EndpointName name) {
    committer.requireOpen();
    return index.endpoint(name);
  }

  @Override
  public List<HistoryEntry> history(EndpointName name, String slot, long afterSequence, int limit) {
    long number = index.withOlder(name, slot);
    return readers.read(
        reader ->
            number == 0
                ? reader.histories().history(() -> index.keys(name, slot), afterSequence, limit)
                : reader
                    .histories()
                    .wholeHistory(
                        number, slot, () -> index.historyKeys(name, slot), afterSequence, limit));
  }

  @Override
  public List<HistoryEntry> historyBack(
      EndpointName name, String slot, long beforeSequence, int limit) {
    long number = index.withOlder(name, slot);
    return readers.read(
        reader ->
            number == 0
                ? reader
                    .histories()
                    .historyBack(() -> index.keys(name, slot), beforeSequence, limit)
                : reader
                    .histories()
                    .wholeHistoryBack(
                        number, slot, () -> index.historyKeys(name, slot), beforeSequence, limit));
  }

  @Override
  public long lastBefore(EndpointName name, String slot, Instant at) {
    long number = index.withOlder(name, slot);
    return number == 0
        ? 0
        : readers.read(reader -> reader.histories().lastBefore(number, slot, Microseconds.of(at)));
  }

  @Override
  public List<Change> trail(String slot, @Nullable EndpointName name, long after, int limit) {
    return readers.read(reader -> reader.trail(slot, name, after, index.superseded(), limit));
  }

  @Override
  public List<Change> trailBack(String slot, @Nullable EndpointName name, long before, int limit) {
    return readers.read(reader -> reader.trailBack(slot, name, before, index.superseded(), limit));
  }

  /** The data folder that this store has locked. */
  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public long position() {
    return index.position();
  }

  /** The files beside the database that the database needs. */
  @Override
  public CompanionFiles companions() {
    return new CompanionFiles(folder, new CompanionTable(database));
  }

  /** The aggregates of measured numbers, in the same file. */
  @Override
  public AggregateStore aggregates() {
    return aggregates;
  }

  /** The superseded facts that stay in histories, in the same file. */
  @Override
  public OlderFacts olderFacts() {
    return olderFacts;
  }

  @Override
  public Counts counts() {
    return committer.counts();
  }

  @Override
  public int endpoints() {
    return index.size();
  }

  private static @Nullable Instant newestTime(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT at FROM fact ORDER BY position DESC LIMIT 1")) {
      return row.next() ? Microseconds.toInstant(row.getLong(1)) : null;
    }
  }

  @Override
  public Optional<Instant> newestTime() {
    return Optional.ofNullable(newestTime);
  }

  @Override
  public long octets() {
    return database.octets();
  }

  @Override
  public int waiting() {
    return committer.waiting();
  }

  @Override
  public boolean isFailing() {
    return committer.isFailing();
  }

  /** Commits the batches submitted so far, then closes the file and unlocks the folder. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try {
      committer.stop();
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
}
