package dev.vigil.coap.exchange;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/**
 * The watchers of each topic. {@link #changed} calls them on the calling thread, usually the feed
 * thread of a store. Watchers must hand work to other threads and return.
 *
 * <p>Any thread may call any method; changes to one topic's watchers are atomic.
 */
public final class Topics {
  private final ConcurrentMap<Topic, Set<Runnable>> watchers = new ConcurrentHashMap<>();
  private final List<Registration> listeners = new CopyOnWriteArrayList<>();

  /** A watcher's subscription to a topic; closing it again does nothing. */
  @FunctionalInterface
  public interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Is notified when a topic gets its first watcher or loses its last. Must not call {@link
   * Topics}.
   */
  public interface Listener {
    /** The topic has its first watcher; called before {@link Topics#watch} returns. */
    void watched(Topic topic);

    /** The last watcher of the topic is gone. */
    void unwatched(Topic topic);
  }

  private record Registration(String prefix, Listener listener) {}

  /** Registers a listener for topics whose names begin with a prefix. */
  public void addListener(String prefix, Listener listener) {
    listeners.add(new Registration(prefix, listener));
  }

  private void callListeners(Topic topic, BiConsumer<Listener, Topic> event) {
    for (Registration registration : listeners) {
      if (topic.name().startsWith(registration.prefix())) {
        event.accept(registration.listener(), topic);
      }
    }
  }

  public Watch watch(Topic topic, Runnable watcher) {
    watchers.compute(
        topic,
        (key, known) -> {
          if (known == null) {
            callListeners(key, Listener::watched);
          }
          Set<Runnable> grown = known == null ? ConcurrentHashMap.newKeySet() : known;
          grown.add(watcher);
          return grown;
        });
    return () ->
        watchers.computeIfPresent(
            topic,
            (key, known) -> {
              known.remove(watcher);
              if (!known.isEmpty()) {
                return known;
              }
              callListeners(key, Listener::unwatched);
              return null;
            });
  }

  /** The number of watchers of a topic. */
  public int watchers(Topic topic) {
    return watchers.getOrDefault(topic, Set.of()).size();
  }

  /** Whether any topic has a watcher; if not, callers need not name changed topics. */
  public boolean areWatched() {
    return !watchers.isEmpty();
  }

  public void changed(Topic topic) {
    watchers.getOrDefault(topic, Set.of()).forEach(Runnable::run);
  }
}
