package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topic;
import dev.vigil.directory.exchange.Topics;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is observed: one {@link Question} for all clients that ask the same. */
final class Questions {
  private static final InetSocketAddress ANYWHERE = new InetSocketAddress(0);

  private final Site site;
  private final Topics topics;
  private final ScheduledExecutorService pool;
  private final Clock clock;
  private final Map<Key, Open> open = new ConcurrentHashMap<>();

  /**
   * What tells questions apart.
   *
   * @param alike the request from anywhere: no answer depends on its caller's address, but for the
   *     link that a link-local one belongs to
   * @param alone what nothing else equals, where the caller's address is link-local
   */
  private record Key(Topic topic, Request alike, @Nullable Object alone) {
    static Key of(Topic topic, Request request) {
      Caller caller = request.caller();
      boolean linkLocal = caller.source().getAddress().isLinkLocalAddress();
      Request alike =
          new Request(
              request.method(),
              request.path(),
              request.query(),
              request.format(),
              request.payload(),
              request.accept(),
              request.confirmable(),
              new Caller(ANYWHERE, caller.verified(), caller.secure(), caller.identity()),
              request.base());
      return new Key(topic, alike, linkLocal ? new Object() : null);
    }
  }

  private record Open(Question question, Topics.Watch watch) {}

  Questions(Site site, Topics topics, ScheduledExecutorService pool, Clock clock) {
    this.site = site;
    this.topics = topics;
    this.pool = pool;
    this.clock = clock;
  }

  /**
   * Adds an observer; its topic is watched when this returns.
   *
   * @param observer makes it, for the question that it asks
   */
  Observation join(Topic topic, Request request, Function<Question, Observation> observer) {
    Key key = Key.of(topic, request);
    Observation[] joined = new Observation[1];
    open.compute(
        key,
        (same, known) -> {
          Open asked = known == null ? begin(same, request) : known;
          joined[0] = observer.apply(asked.question);
          asked.question.join(joined[0]);
          return asked;
        });
    return joined[0];
  }

  private Open begin(Key key, Request request) {
    Question question = new Question(request, site, pool, clock, gone -> leave(key, gone));
    return new Open(question, topics.watch(key.topic, question));
  }

  private void leave(Key key, Observation gone) {
    open.computeIfPresent(
        key,
        (same, asked) -> {
          if (asked.question.isLeftBy(gone)) {
            asked.watch.close();
            return null;
          }
          return asked;
        });
  }
}
