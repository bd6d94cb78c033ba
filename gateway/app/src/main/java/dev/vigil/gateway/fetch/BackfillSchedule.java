package dev.vigil.gateway.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Decides which updates make the gateway ask an endpoint for missing readings: the first since the
 * start, the first after a silence, the first after the clock was set back, and the first after a
 * failure and its pause. Safe for use by any number of threads; guarded by its monitor.
 */
final class BackfillSchedule {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
  private static final int MAX_DOUBLINGS = 8;

  private final Map<String, Watched> endpoints = new HashMap<>();

  /**
   * @param last arrival of the last update
   * @param due whether the endpoint must be asked
   * @param failures number of failures in a row
   * @param notBefore earliest time of the next request
   */
  private record Watched(Instant last, boolean due, int failures, Instant notBefore) {}

  /** Records an update; returns whether its endpoint must be asked now. */
  synchronized boolean heard(String id, Instant at) {
    Watched before = endpoints.get(id);
    boolean isSetBack = before != null && at.isBefore(before.last());
    boolean due =
        before == null
            || before.due()
            || isSetBack
            || Duration.between(before.last(), at).compareTo(GapFiller.silence(0)) > 0;
    int failures = before == null ? 0 : before.failures();
    // A pause that began before the clock was set back would last for the size of the step.
    Instant notBefore = before == null || isSetBack ? at : before.notBefore();
    boolean now = due && !at.isBefore(notBefore);
    endpoints.put(id, new Watched(at, due, failures, now ? at.plus(FIRST_PAUSE) : notBefore));
    return now;
  }

  /** Forgets an endpoint that is no longer registered. */
  synchronized void forget(String id) {
    endpoints.remove(id);
  }

  synchronized int size() {
    return endpoints.size();
  }

  synchronized void succeeded(String id) {
    endpoints.computeIfPresent(
        id, (key, watched) -> new Watched(watched.last(), false, 0, watched.last()));
  }

  /** Whether this was the first failure in a row. */
  synchronized boolean failed(String id) {
    Watched watched = endpoints.get(id);
    if (watched == null) {
      return true;
    }
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(watched.failures(), MAX_DOUBLINGS));
    endpoints.put(
        id, new Watched(watched.last(), true, watched.failures() + 1, watched.last().plus(pause)));
    return watched.failures() == 0;
  }
}
