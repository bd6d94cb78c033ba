package dev.vigil.coap.observe;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Topic;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.limits.WorkLimiter;
import java.net.InetAddress;
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
   * @param request with its source replaced by a fixed one, which is trusted if the caller's work
   *     is unlimited: the limits of a stranger can change a response
   * @param source the source address if the response depends on it; different from all others for a
   *     link-local source, because the response depends on its link; else null
   */
  private record Key(Topic topic, Request request, @Nullable Object source) {
    static Key of(Topic topic, boolean bySource, Request request) {
      Caller caller = request.caller();
      boolean unlimited = WorkLimiter.isUnlimited(caller);
      InetAddress address = caller.source().getAddress();
      @Nullable Object own =
          address.isLinkLocalAddress() ? new Object() : bySource ? address : null;
      return new Key(
          topic,
          request.from(
              new Caller(
                  ANY_SOURCE, caller.verified(), unlimited, caller.secure(), caller.identity())),
          own);
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
   * @param bySource whether the response depends on the source address
   * @param factory creates the observation for the observed request that it joins
   */
  public Observation observe(
      Topic topic,
      boolean bySource,
      Request request,
      Function<ObservedRequest, Observation> factory) {
    Observation[] added = new Observation[1];
    entries.compute(
        Key.of(topic, bySource, request),
        (key, known) -> {
          Entry entry = known == null ? begin(key) : known;
          added[0] = factory.apply(entry.observed);
          entry.observed.add(added[0]);
          return entry;
        });
    return added[0];
  }

  private Entry begin(Key key) {
    ObservedRequest observed =
        new ObservedRequest(
            key.request, dispatcher, pool, clock, observer -> remove(key, observer));
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
