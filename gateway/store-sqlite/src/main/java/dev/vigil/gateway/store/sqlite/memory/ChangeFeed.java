package dev.vigil.gateway.store.sqlite.memory;

import dev.vigil.store.Change;
import dev.vigil.store.Store;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The followers of the feed. The lock is held while followers receive changes and while a new
 * follower reads the last stored changes. Therefore no follower misses a change or sees it twice.
 */
public final class ChangeFeed {
  private static final Logger log = LoggerFactory.getLogger(ChangeFeed.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final List<Follower> followers = new CopyOnWriteArrayList<>();

  /** Reads the stored changes after a position, in order. */
  @FunctionalInterface
  public interface StoredChanges {
    /**
     * @return the position of the last change that was read
     */
    long read(long after, Consumer<Change> reader);
  }

  public Store.Subscription follow(long after, Consumer<Change> consumer, StoredChanges stored) {
    Follower follower = new Follower(after, consumer);
    // Most changes are read without the lock, so the writer is not blocked. The rest is read under
    // the lock.
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

  /** Called on the store's thread with durable changes. */
  public void publish(List<Change> changes) {
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

    /**
     * The last accepted position; written by the subscribing thread first, later under the lock.
     */
    private long seen;

    Follower(long after, Consumer<Change> consumer) {
      this.seen = after;
      this.consumer = consumer;
    }

    void accept(Change change) {
      // The store may still publish a change that was already read from the file under the lock.
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
