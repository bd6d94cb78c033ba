package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.api.FeatureEvent;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events that one stream has not sent yet: the newest change of each endpoint and of each other
 * thing, in the order of the feed. When there are too many events, one {@link Missed} event
 * replaces them.
 */
final class EventBacklog {
  /** An event to send. */
  sealed interface Event {
    long position();
  }

  /**
   * An endpoint changed.
   *
   * @param id of the endpoint
   * @param d domain of the endpoint
   */
  record Changed(String id, String d, long position) implements Event {}

  /** Something else changed. */
  record Featured(FeatureEvent event) implements Event {
    @Override
    public long position() {
      return event.position();
    }
  }

  /** Changes up to this position were dropped. */
  record Missed(long position) implements Event {}

  private final int capacity;
  private final Map<String, Event> changed = new LinkedHashMap<>();
  private @Nullable Missed missed;

  EventBacklog(int capacity) {
    this.capacity = capacity;
  }

  void add(Event event) {
    String key = key(event);
    // Removed first, so that the newer change is added at the end.
    changed.remove(key);
    if (changed.size() == capacity) {
      miss(event.position());
    } else {
      changed.put(key, event);
    }
  }

  private static String key(Event event) {
    return switch (event) {
      case Changed one -> one.id();
      case Featured(FeatureEvent one) -> one.name() + " " + one.id();
      case Missed _ -> "";
    };
  }

  void miss(long position) {
    changed.clear();
    missed = new Missed(position);
  }

  /** Removes the oldest event; null when there is none. */
  @Nullable Event poll() {
    Missed first = missed;
    if (first != null) {
      missed = null;
      return first;
    }
    Iterator<Event> oldest = changed.values().iterator();
    if (!oldest.hasNext()) {
      return null;
    }
    Event event = oldest.next();
    oldest.remove();
    return event;
  }

  boolean isEmpty() {
    return missed == null && changed.isEmpty();
  }
}
