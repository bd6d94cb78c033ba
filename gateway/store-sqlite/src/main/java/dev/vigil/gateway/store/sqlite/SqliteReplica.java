package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.rows.KeptChange;
import dev.vigil.gateway.store.sqlite.rows.SlotRetention;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.ForwardingStore;
import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One gateway's copy of a log that several gateways write: the tables and the reads of {@link
 * SqliteStore}, filled with changes that were decided elsewhere and by nothing else. Changes are
 * durable when they are applied. Safe for use by any number of threads; one thread applies.
 */
public final class SqliteReplica extends ForwardingStore {
  /** The maximum number of facts in one batch. */
  public static final int MAX_FACTS = EndpointStateIndex.MAX_FACTS;

  private final SqliteStore store;

  private SqliteReplica(SqliteStore store) {
    super(store);
    this.store = store;
  }

  /**
   * Opens a replica in a folder, which is created if it is missing and then locked.
   *
   * @param log the id of the log
   * @param gaps the position up to which the log may lack messages; used for an empty folder
   * @param nanoTime monotonic nanoseconds
   * @throws StoreException as {@link SqliteStore#open}, and when the folder belongs to another log
   *     or to a single gateway
   */
  public static SqliteReplica open(Path folder, String log, long gaps, LongSupplier nanoTime) {
    return new SqliteReplica(SqliteStore.open(folder, nanoTime, log, gaps));
  }

  /**
   * The state of an endpoint after one of its batches.
   *
   * @param position of its change in the log
   * @param hash of the batch
   */
  public record Known(String id, long high, long version, long position, byte[] hash) {}

  /** The newest state of an endpoint; null if the replica does not have it or has forgotten it. */
  public @Nullable Known known(EndpointName name) {
    EndpointStateIndex.State state = store.index().state(name);
    // A state without a version belongs to an endpoint that is just being created.
    return state == null || state.version() == 0
        ? null
        : new Known(
            state.identity().id(), state.high(), state.version(), state.position(), state.hash());
  }

  /** The position of an endpoint's newest change; 0 if the replica does not have it. */
  public long newest(EndpointName name) {
    Known known = known(name);
    return known == null ? 0 : known.position();
  }

  /** The changes that an endpoint keeps, including older facts, oldest first. */
  public List<KeptChange> kept(EndpointName name) {
    List<KeptChange> kept = store.readers().read(reader -> reader.kept(name));
    for (String slot : KeptChange.slotsWithOlder(kept)) {
      for (HistoryEntry entry : store.history(name, slot, -1, Integer.MAX_VALUE)) {
        kept.add(
            KeptChange.older(entry.position(), entry.at(), entry.sequence(), slot, entry.body()));
      }
    }
    kept.sort(Comparator.comparingLong(KeptChange::position));
    return kept;
  }

  /** The position up to which the log may lack messages. */
  public long gaps() {
    return store.readers().read(reader -> ReplicaTables.gaps(reader.connection()));
  }

  /** Whether an endpoint has an id. */
  public boolean hasId(String id) {
    return store.readers().read(reader -> ReplicaTables.hasId(reader.connection(), id));
  }

  /** The position of the last change in the file, from which the log is read on. */
  public long position() {
    return store.index().position();
  }

  /**
   * Applies the next change of the log. A change that the file has already is not applied again.
   * Waits while many changes wait for the disk.
   *
   * @return completes on the store's thread, once the change is durable and every follower of this
   *     process has seen it; exceptionally if neither this change nor a later one can be applied
   */
  public CompletableFuture<SubmitResult> apply(LoggedChange change) throws InterruptedException {
    return store.committer().apply(change);
  }

  /** The facts of a batch without those that later facts of the batch supersede. */
  public static List<Fact> survivors(Batch batch) {
    return SlotRetention.survivors(batch.facts());
  }

  /**
   * @throws IllegalArgumentException when a batch has more than {@link #MAX_FACTS} facts
   */
  public static void requireFewFacts(Batch batch) {
    SqliteStore.requireFewFacts(batch);
  }

  @Override
  public CompletableFuture<SubmitResult> submit(Batch batch) {
    throw new UnsupportedOperationException("only the log writes a replica");
  }

  /** Copies the replica for other gateways; see {@link SnapshotFiles#copy}. */
  public ReplicaFiles.Head copy(Path copy) {
    return store.noting(() -> SnapshotFiles.copy(store.folder(), copy));
  }

  /** Completes when the replica finds that its file is damaged. */
  public CompletableFuture<StoreException> damage() {
    return store.damage();
  }

  /** The store behind it, for its statistics, aggregates and older facts. */
  public SqliteStore store() {
    return store;
  }
}
