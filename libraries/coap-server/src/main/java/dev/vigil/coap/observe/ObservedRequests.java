package dev.vigil.coap.observe;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Topic;
import dev.vigil.coap.exchange.Topics;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All observed requests; clients with equal requests share one {@link ObservedRequest}. */
public final class ObservedRequests {
  private static final InetSocketAddress ANY_SOURCE = new InetSocketAddress(0);

  private final RequestDispatcher dispatcher;
  private final Topics topics;
  private final ScheduledExecutorService pool;
  private final Clock clock;

  /** The lock of an entry, held by {@code compute}, guards adding and removing its observers. */
  private final Map<Key, Entry> entries = new ConcurrentHashMap<>();

  /**
   * Identifies requests that have the same response.
   *
   * @param request with its source replaced by a fixed, trusted one. A response depends on the
   *     source address only for the link of a link-local source, and notifications are limited by
   *     pauses, not by source
   * @param unique makes the key of a link-local source different from all others; else null
   */
  private record Key(Topic topic, Request request, @Nullable Object unique) {
    static Key of(Topic topic, Request request) {
      Caller caller = request.caller();
      boolean linkLocal = caller.source().getAddress().isLinkLocalAddress();
      Request anySource =
          new Request(
              request.method(),
              request.path(),
              request.query(),
              request.format(),
              request.payload(),
              request.accept(),
              request.confirmable(),
              new Caller(ANY_SOURCE, caller.verified(), true, caller.secure(), caller.identity()),
              request.base());
      return new Key(topic, anySource, linkLocal ? new Object() : null);
    }
  }

  private record Entry(ObservedRequest observed, Topics.Watch watch) {}

  public ObservedRequests(
      RequestDispatcher dispatcher, Topics topics, ScheduledExecutorService pool, Clock clock) {
    this.dispatcher = dispatcher;
    this.topics = topics;
    this.pool = pool;
    this.clock = clock;
  }

  /**
   * Adds an observer of a request; its topic is watched when this method returns.
   *
   * @param factory creates the observation for the observed request that it joins
   */
  public Observation observe(
      Topic topic, Request request, Function<ObservedRequest, Observation> factory) {
    Observation[] added = new Observation[1];
    entries.compute(
        Key.of(topic, request),
        (key, known) -> {
          Entry entry = known == null ? begin(key, request) : known;
          added[0] = factory.apply(entry.observed);
          entry.observed.add(added[0]);
          return entry;
        });
    return added[0];
  }

  private Entry begin(Key key, Request request) {
    ObservedRequest observed =
        new ObservedRequest(request, dispatcher, pool, clock, observer -> remove(key, observer));
    return new Entry(observed, topics.watch(key.topic, observed));
  }

  private void remove(Key key, Observation observer) {
    entries.computeIfPresent(
        key,
        (same, entry) -> {
          if (entry.observed.removeAndCheckEmpty(observer)) {
            entry.watch.close();
            return null;
          }
          return entry;
        });
  }
}
