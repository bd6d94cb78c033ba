package dev.vigil.gateway.alarms.evaluation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Owners by the time at which they are due, each queued once. Used by one thread. */
final class TimerQueue {
  private final Map<String, Long> times = new HashMap<>();
  private final PriorityQueue<Due> queue = new PriorityQueue<>(Comparator.comparingLong(Due::at));

  private record Due(String owner, long at) {}

  /** A queued earlier time is kept: it costs only one additional evaluation. */
  void at(String owner, long millis) {
    Long queued = times.get(owner);
    if (millis != Long.MAX_VALUE && (queued == null || queued > millis)) {
      times.put(owner, millis);
      queue.add(new Due(owner, millis));
    }
  }

  /** Takes the owners that are due. */
  List<String> due(long now) {
    List<String> due = new ArrayList<>();
    for (Due first = queue.peek(); first != null && first.at() <= now; first = queue.peek()) {
      queue.remove();
      if (times.remove(first.owner(), first.at())) {
        due.add(first.owner());
      }
    }
    return due;
  }

  void clear() {
    times.clear();
    queue.clear();
  }

  int size() {
    return queue.size();
  }
}
