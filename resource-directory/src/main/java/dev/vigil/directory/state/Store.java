package dev.vigil.directory.state;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Durable state of all endpoints. Safe for use by any number of threads. */
public interface Store extends AutoCloseable {
  /**
   * Lands a batch whole or not at all.
   *
   * @return completes once the outcome is certain: a landed batch is on disk, and every follower of
   *     this process has seen its change. Completes exceptionally with {@link StoreException} when
   *     the store could not write; nothing was changed then
   */
  CompletableFuture<Outcome> submit(Batch batch);

  /**
   * Follows the feed: calls {@code follower} with every kept change after a position, in order, on
   * the calling thread, and from then on with every change that lands, in order, on the store's
   * feed thread. Folding the feed from 0 gives the present state. A follower must not block and
   * must not throw.
   */
  Subscription changes(long after, Consumer<Change> follower);

  /**
   * Follows one slot: as above, but only the changes that bring a fact of it, with at least those
   * facts. How far an endpoint's number and version have moved besides is not told.
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

  Optional<Endpoint> endpoint(EndpointName name);

  /**
   * What a slot keeps, oldest first.
   *
   * @param afterSequence only facts whose batch had a higher sequence number; -1 for all
   * @param limit how many at the most
   */
  List<Kept> history(EndpointName name, String slot, long afterSequence, int limit);

  /**
   * The facts of a slot that keeps all ({@link Fact#KEEP_ALL}), in the order of the feed.
   *
   * @param name of whom; null: of all endpoints
   * @param after only changes after that position
   * @param limit how many changes at the most, each with its facts of that slot alone
   */
  List<Change> trail(String slot, @Nullable EndpointName name, long after, int limit);

  /**
   * The same, newest first.
   *
   * @param before only changes before that position; {@link Long#MAX_VALUE}: from the newest
   */
  List<Change> trailBack(String slot, @Nullable EndpointName name, long before, int limit);

  @Override
  void close();

  /** Where an endpoint stands; see {@link Change} for the fields. */
  record Endpoint(String id, EndpointName name, long high, long version) {}

  /**
   * @param sequence of the batch that brought the fact; 0 when it had none
   */
  record Kept(long position, long sequence, Instant at, byte[] body) {}

  /** Ends a follower; closing it again does nothing. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
