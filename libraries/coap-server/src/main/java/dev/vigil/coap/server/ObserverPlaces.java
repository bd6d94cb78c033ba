package dev.vigil.coap.server;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Topic;
import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
import dev.vigil.coap.observe.Observation;
import dev.vigil.coap.observe.ObservedRequests;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.eclipse.californium.core.network.Exchange;

/**
 * The concurrent observations of all endpoints, shared fairly between their clients ({@link
 * FairPool}). An address that has used up its share is answered without an observation, because
 * displacing its own observations would cost an error notification each. Clients that have been
 * silent for a day have to confirm that they are still there (RFC 7641 section 4.5); minutes
 * suffice while places or memory are scarce.
 */
final class ObserverPlaces {
  private static final long SWEEP_SECONDS = 10;

  /** Number of probes in each sweep; 50 000 observations then take less than twenty minutes. */
  private static final int PROBES_PER_SWEEP = 500;

  /** Less than 24 hours by more than the time until the next probe. */
  private static final long SILENT_MILLIS = Duration.ofHours(23).toMillis();

  private static final long SILENT_WHEN_SCARCE_MILLIS = Duration.ofMinutes(5).toMillis();

  /** The fraction of the observations that each sweep drops while memory is scarce. */
  private static final int SHED_DIVISOR = 20;

  private final ObservedRequests observedRequests;
  private final FairPool<Observation> places;
  private final int unauthenticated;
  private final BooleanSupplier memoryIsScarce;
  private final Clock clock;

  /** Ordered by last examination, oldest first. Guarded by itself. */
  private final Set<Observation> observations = new LinkedHashSet<>();

  /**
   * @param max concurrent observations; a quarter is kept for authenticated clients
   */
  ObserverPlaces(
      ObservedRequests observedRequests, int max, BooleanSupplier memoryIsScarce, Clock clock) {
    this.observedRequests = observedRequests;
    this.unauthenticated = max - max / 4;
    this.places =
        new FairPool<>(
            new FairPool.Bounds(max, 0, unauthenticated),
            FairPool.Leaving.NEWEST,
            Observation::displace);
    this.memoryIsScarce = memoryIsScarce;
    this.clock = clock;
  }

  void scheduleSweeps(ScheduledExecutorService timer) {
    timer.scheduleWithFixedDelay(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  /** Whether a client may begin to observe at all; its share decides the rest. */
  boolean isOpenTo(Caller caller) {
    return Source.of(caller).standing() == Standing.AUTHENTICATED || !memoryIsScarce.getAsBoolean();
  }

  /**
   * Begins an observation; the result has already ended if its client has no place.
   *
   * @param bySource as {@link dev.vigil.coap.exchange.Response#bySource}
   */
  Observation begin(Topic topic, boolean bySource, Request request, Exchange exchange) {
    Observation observation =
        observedRequests.observe(
            topic,
            bySource,
            request,
            observed -> new Observation(exchange, request.caller(), observed, clock));
    FairPool<Observation>.Place place = places.admit(Source.of(request.caller()), observation);
    if (place == null) {
      observation.end();
      return observation;
    }
    synchronized (observations) {
      observations.add(observation);
    }
    observation.onEnd(() -> end(observation, place));
    if (observation.isEnded()) {
      // The observer was displaced before its task was set.
      end(observation, place);
    }
    return observation;
  }

  /** The number of observations. */
  int size() {
    return places.size();
  }

  private void end(Observation observation, FairPool<Observation>.Place place) {
    place.release();
    synchronized (observations) {
      observations.remove(observation);
    }
  }

  /**
   * Probes silent clients; while memory is scarce, also drops observations of the greediest ones.
   */
  void sweep() {
    boolean scarceMemory = memoryIsScarce.getAsBoolean();
    if (scarceMemory) {
      places.displaceGreediest(places.size() / SHED_DIVISOR + 1);
    }
    boolean scarcePlaces = places.size() >= unauthenticated - unauthenticated / 4;
    long silence = scarceMemory || scarcePlaces ? SILENT_WHEN_SCARCE_MILLIS : SILENT_MILLIS;
    long before = clock.millis() - silence;
    for (Observation observation : examined()) {
      if (observation.confirmableSentAt() <= before) {
        observation.probe();
      }
    }
  }

  private List<Observation> examined() {
    synchronized (observations) {
      List<Observation> next = observations.stream().limit(PROBES_PER_SWEEP).toList();
      next.forEach(observations::remove);
      observations.addAll(next);
      return next;
    }
  }
}
