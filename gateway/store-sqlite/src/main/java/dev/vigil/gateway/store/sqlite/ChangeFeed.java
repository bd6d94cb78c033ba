package dev.vigil.gateway.store.sqlite;

import dev.vigil.store.Change;
import dev.vigil.store.Store;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The followers of the feed. The lock is held while changes are handed to them and while a new
 * follower reads the last stored changes, so that no follower misses a change or sees one twice.
 */
final class ChangeFeed {
  private static final Logger log = LoggerFactory.getLogger(ChangeFeed.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final List<Follower> followers = new CopyOnWriteArrayList<>();

  /** Reads the stored changes after a position, in order. */
  @FunctionalInterface
  interface StoredChanges {
    /**
     * @return the position up to which everything was read
     */
    long read(long after, Consumer<Change> reader);
  }

  Store.Subscription follow(long after, Consumer<Change> consumer, StoredChanges stored) {
    Follower follower = new Follower(after, consumer);
    // Most is read without the lock, while the writer goes on; the rest is read under it.
    follower.seen = stored.read(follower.seen, follower::accept);
    lock.lock();
    try {
      stored.read(follower.seen, follower::accept);
      followers.add(follower);
    } finally {
      lock.unlock();
    }
    return follower;
  }

  /** Called on the store's thread with changes that are durable. */
  void publish(List<Change> changes) {
    lock.lock();
    try {
      for (Change change : changes) {
        for (Follower follower : followers) {
          follower.accept(change);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private final class Follower implements Store.Subscription {
    private final Consumer<Change> consumer;
    private volatile boolean closed;

    /** The last position accepted; written by the subscribing thread, then under the lock. */
    private long seen;

    Follower(long after, Consumer<Change> consumer) {
      this.seen = after;
      this.consumer = consumer;
    }

    void accept(Change change) {
      // A change that was read from the file under the lock may still be published afterwards.
      if (closed || change.position() <= seen) {
        return;
      }
      seen = change.position();
      try {
        consumer.accept(change);
      } catch (RuntimeException e) {
        log.error("a follower of the feed failed at position {}", change.position(), e);
      }
    }

    @Override
    public void close() {
      closed = true;
      followers.remove(this);
    }
  }
}
