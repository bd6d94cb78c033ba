package dev.vigil.directory.exchange;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

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

  public Watch watch(Topic topic, Runnable watcher) {
    watchers.compute(
        topic,
        (key, set) -> {
          Set<Runnable> grown = set == null ? ConcurrentHashMap.newKeySet() : set;
          grown.add(watcher);
          return grown;
        });
    return () ->
        watchers.computeIfPresent(
            topic,
            (key, set) -> {
              set.remove(watcher);
              return set.isEmpty() ? null : set;
            });
  }

  public void changed(Topic topic) {
    watchers.getOrDefault(topic, Set.of()).forEach(Runnable::run);
  }
}
