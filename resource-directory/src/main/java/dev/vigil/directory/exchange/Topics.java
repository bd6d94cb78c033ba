package dev.vigil.directory.exchange;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/**
 * Who watches which topic. Observers are called on the thread that reports the change, which is the
 * store's feed thread: they must hand work on and return.
 */
public final class Topics {
  private final ConcurrentMap<Topic, Set<Runnable>> watchers = new ConcurrentHashMap<>();

  /** Ends a watch; closing it again does nothing. */
  @FunctionalInterface
  public interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  /** Is told which topics of a kind are watched. */
  public interface Follower {
    /** Somebody watches a topic that nobody watched; before {@link Topics#watch} returns. */
    void begun(Topic topic);

    /** Nobody watches it any more. */
    void ended(Topic topic);
  }

  private record Following(String prefix, Follower follower) {}

  private final List<Following> followers = new CopyOnWriteArrayList<>();

  /** From now on, tells of topics whose names begin so; the follower must not call back. */
  public void follow(String prefix, Follower follower) {
    followers.add(new Following(prefix, follower));
  }

  private void tell(Topic topic, BiConsumer<Follower, Topic> what) {
    for (Following one : followers) {
      if (topic.name().startsWith(one.prefix())) {
        what.accept(one.follower(), topic);
      }
    }
  }

  public Watch watch(Topic topic, Runnable watcher) {
    watchers.compute(
        topic,
        (key, set) -> {
          if (set == null) {
            tell(key, Follower::begun);
          }
          Set<Runnable> grown = set == null ? ConcurrentHashMap.newKeySet() : set;
          grown.add(watcher);
          return grown;
        });
    return () ->
        watchers.computeIfPresent(
            topic,
            (key, set) -> {
              set.remove(watcher);
              if (!set.isEmpty()) {
                return set;
              }
              tell(key, Follower::ended);
              return null;
            });
  }

  /** How many watch a topic. */
  public int watchers(Topic topic) {
    return watchers.getOrDefault(topic, Set.of()).size();
  }

  /** Whether anybody watches anything: else nobody needs to be told, nor topics be named. */
  public boolean areWatched() {
    return !watchers.isEmpty();
  }

  public void changed(Topic topic) {
    watchers.getOrDefault(topic, Set.of()).forEach(Runnable::run);
  }
}
