package dev.vigil.gateway.endpoints;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one stream has still to tell: the newest of each endpoint, in the order of the feed, and of
 * no more than so many. Beyond that all of it is one word: something was missed.
 */
final class Backlog {
  /** What a stream tells of. */
  sealed interface Note {
    long position();
  }

  /**
   * An endpoint changed.
   *
   * @param d its domain
   */
  record Changed(String id, String d, long position) implements Note {}

  /** More changed than can be told; what is told from here on came after this position. */
  record Missed(long position) implements Note {}

  private final int most;
  private final Map<String, Changed> changed = new LinkedHashMap<>();
  private @Nullable Missed missed;

  Backlog(int most) {
    this.most = most;
  }

  void add(Changed note) {
    // Taken out first, so that it goes to the end.
    changed.remove(note.id());
    if (changed.size() == most) {
      miss(note.position());
    } else {
      changed.put(note.id(), note);
    }
  }

  void miss(long position) {
    changed.clear();
    missed = new Missed(position);
  }

  /** The oldest; null when there is none. */
  @Nullable Note poll() {
    Missed first = missed;
    if (first != null) {
      missed = null;
      return first;
    }
    Iterator<Changed> oldest = changed.values().iterator();
    if (!oldest.hasNext()) {
      return null;
    }
    Changed note = oldest.next();
    oldest.remove();
    return note;
  }

  boolean isEmpty() {
    return missed == null && changed.isEmpty();
  }
}
