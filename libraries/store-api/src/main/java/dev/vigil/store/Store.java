package dev.vigil.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The durable state of all endpoints. Safe for use by any number of threads.
 *
 * <p>A store may forget an endpoint that never had a sequence number and whose slots are all empty.
 * A batch for its name then creates a new endpoint with another id and version 1. For a reserved
 * name ({@link EndpointName#isReserved}) it may also forget single slots that were emptied. A
 * follower that resumes from an earlier position is then not notified that they are empty.
 */
public interface Store extends AutoCloseable {
  /**
   * Commits a batch whole or not at all.
   *
   * @return completes once the outcome is certain: a committed batch is durable, and every follower
   *     of this process has seen its change. Completes exceptionally with {@link StoreException}
   *     when the store could not write; then nothing was changed
   */
  CompletableFuture<SubmitResult> submit(Batch batch);

  /**
   * Follows the feed in order: calls {@code follower} with every stored change after a position, on
   * the calling thread, and then with every newly committed change, on the store's feed thread.
   * Folding the feed from 0 gives the present state. A follower must not block and must not throw.
   */
  Subscription changes(long after, Consumer<Change> follower);

  /**
   * Follows the feed from the present state: as {@link #changes(long, Consumer)} after 0, but a
   * stored fact may be left out if a later one of its slot is stored. So a start need not read
   * whole histories. A change whose facts are all left out may be missing.
   */
  default Subscription present(Consumer<Change> follower) {
    return changes(0, follower);
  }

  /**
   * Follows one slot: as {@link #changes(long, Consumer)}, but only changes with a fact of that
   * slot, each with at least those facts. Such a follower does not see how other slots move an
   * endpoint's sequence number and version.
   */
  default Subscription changes(String slot, long after, Consumer<Change> follower) {
    return changes(
        after,
        change -> {
          if (change.isAbout(slot)) {
            follower.accept(change);
          }
        });
  }

  /**
   * Follows one endpoint: as {@link #changes(long, Consumer)}, but only changes of that name, each
   * with all of its facts.
   */
  default Subscription changes(EndpointName name, long after, Consumer<Change> follower) {
    return changes(
        after,
        change -> {
          if (change.endpoint().equals(name)) {
            follower.accept(change);
          }
        });
  }

  /**
   * A page of the stored changes after a position, in order, for readers that may block between
   * pages, for instance to pass changes on to other systems.
   *
   * @param limit maximum number of changes; a page with fewer was the last when it was read
   */
  List<Change> page(long after, int limit);

  Optional<Endpoint> endpoint(EndpointName name);

  /**
   * The facts that a slot keeps and its older ones ({@link Fact#keepsOlder}), oldest first.
   *
   * @param afterSequence only facts whose batch had a higher sequence number; -1 for all
   * @param limit maximum number of facts
   */
  List<HistoryEntry> history(EndpointName name, String slot, long afterSequence, int limit);

  /**
   * The numbered facts that a slot keeps and its older ones, newest first.
   *
   * @param beforeSequence only facts whose batch had a lower sequence number; {@link
   *     Long#MAX_VALUE} for all
   */
  List<HistoryEntry> historyBack(EndpointName name, String slot, long beforeSequence, int limit);

  /**
   * A sequence number up to which a reader may skip a slot's history: every fact with this number
   * or a lower one arrived before a time. 0 if the store cannot skip any.
   */
  default long lastBefore(EndpointName name, String slot, Instant at) {
    return 0;
  }

  /**
   * The changes of a slot that keeps all facts ({@link Fact#KEEP_ALL}), in the order of the feed.
   *
   * @param name the endpoint; null for all endpoints
   * @param after only changes after that position
   * @param limit maximum number of changes, each with only its facts of that slot
   */
  List<Change> trail(String slot, @Nullable EndpointName name, long after, int limit);

  /**
   * The same changes, newest first.
   *
   * @param before only changes before that position; {@link Long#MAX_VALUE}: from the newest
   */
  List<Change> trailBack(String slot, @Nullable EndpointName name, long before, int limit);

  @Override
  void close();

  /** The present state of an endpoint; see {@link Change} for the components. */
  record Endpoint(String id, EndpointName name, long high, long version) {}

  /**
   * One kept fact.
   *
   * @param position the position of its change in the feed
   * @param sequence the sequence number of its batch; 0 if the batch had none
   */
  record HistoryEntry(long position, long sequence, Instant at, byte[] body) {}

  /** A follower's subscription. Closing it again has no effect. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
