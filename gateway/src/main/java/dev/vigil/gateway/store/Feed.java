package dev.vigil.gateway.store;

import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.Store;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who follows the changes. The lock is held while changes are handed on and while a new follower
 * reads the last of the past, so nobody misses a change or sees one twice.
 */
final class Feed {
  private static final Logger log = LoggerFactory.getLogger(Feed.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final List<Follower> followers = new CopyOnWriteArrayList<>();

  /** Reads the kept changes after a position, in order; returns how far that was. */
  @FunctionalInterface
  interface Past {
    long read(long after, Consumer<Change> reader);
  }

  Store.Subscription follow(long after, Consumer<Change> consumer, Past past) {
    Follower follower = new Follower(after, consumer);
    // The long part, while the writer goes on; what lands meanwhile is read under the lock.
    follower.seen = past.read(follower.seen, follower::see);
    lock.lock();
    try {
      past.read(follower.seen, follower::see);
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
          follower.see(change);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private final class Follower implements Store.Subscription {
    private final Consumer<Change> consumer;
    private volatile boolean closed;

    /** The last position seen; written by the subscribing thread, then under the lock. */
    private long seen;

    Follower(long after, Consumer<Change> consumer) {
      this.seen = after;
      this.consumer = consumer;
    }

    void see(Change change) {
      // Under the lock the past may already hold what the writer is about to publish.
      if (closed || change.position() <= seen) {
        return;
      }
      seen = change.position();
      try {
        consumer.accept(change);
      } catch (RuntimeException e) {
        log.error("a follower failed at position {}", change.position(), e);
      }
    }

    @Override
    public void close() {
      closed = true;
      followers.remove(this);
    }
  }
}
