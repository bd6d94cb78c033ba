package dev.vigil.gateway.dashboards.contents;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.limits.Source;
import dev.vigil.gateway.api.EventSource;
import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.dashboards.DashboardRights;
import dev.vigil.gateway.dashboards.DashboardRights.View;
import dev.vigil.gateway.dashboards.Dashboards;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Streams the ids of tiles that have changed as server-sent events. */
@RestController
class DashboardEventsController implements SmartLifecycle {
  private static final int MAX_STREAMS = 128;

  /** Streams reserved for authenticated clients. */
  private static final int RESERVED = 32;

  private static final long RETRY_SECONDS = 10;
  private static final long NO_TIMEOUT = 0;

  private final DashboardRights rights;
  private final Dashboards dashboards;
  private final MirrorQueries mirror;
  private final TaggedEndpoints tagged;
  private final List<EventSource> sources;
  private final Map<DashboardStream, FairPool<DashboardStream>.Place> streams =
      new ConcurrentHashMap<>();

  private final FairPool<DashboardStream> places =
      new FairPool<>(
          new FairPool.Bounds(MAX_STREAMS, 0, MAX_STREAMS - RESERVED),
          FairPool.Leaving.NEWEST,
          DashboardStream::close);

  private volatile boolean running;

  DashboardEventsController(
      DashboardRights rights,
      Dashboards dashboards,
      MirrorQueries mirror,
      TaggedEndpoints tagged,
      List<EventSource> sources) {
    this.rights = rights;
    this.dashboards = dashboards;
    this.mirror = mirror;
    this.tagged = tagged;
    this.sources = List.copyOf(sources);
  }

  @Operation(
      operationId = "streamDashboardEvents",
      summary = "Server-sent events: which tiles of a dashboard have changed",
      description =
          "Events and their data: tiles, the ids of tiles that have changed, at most twice a second;"
              + " dashboard, the dashboard itself has changed or was removed: read it again and open"
              + " another stream. Changes that the viewer may not read cause no event. The stream ends"
              + " with the credentials of its request. It repeats nothing: read the tiles after"
              + " each connection, and once a minute, because an endpoint becomes late without an"
              + " event.")
  @GetMapping(path = "/api/dashboards/{id}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  SseEmitter events(HttpServletRequest request, @PathVariable String id) {
    Caller caller = HttpCallers.of(request);
    View view = rights.view(caller, id);
    SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
    DashboardStream stream =
        new DashboardStream(emitter, view::shows, HttpCallers.validity(request), this::ended);
    admit(stream, caller);
    emitter.onCompletion(stream::close);
    emitter.onError(error -> stream.close());
    try {
      stream.follow(subscriptions(stream, id, view));
    } catch (RuntimeException e) {
      stream.close();
      throw e;
    }
    Thread.ofVirtual().name("dashboard-events").start(stream);
    return emitter;
  }

  private List<Store.Subscription> subscriptions(DashboardStream stream, String id, View view) {
    TileChanges changes = new TileChanges(view.dashboard().value(), tagged);
    long position = mirror.position();
    long version = view.dashboard().version();
    List<Store.Subscription> following = new ArrayList<>();
    following.add(mirror.follow(position, event -> stream.add(changes.of(event), event.d())));
    sources.forEach(
        source -> following.add(source.follow(position, event -> add(stream, changes, event))));
    following.add(
        dashboards.onChange(
            change -> {
              if (change.id().equals(id) && change.position() != version) {
                stream.addDashboard();
              }
            }));
    return following;
  }

  /** Events of no domain are about the gateway, which no tile shows. */
  private static void add(DashboardStream stream, TileChanges changes, FeatureEvent event) {
    String d = event.d();
    if (d != null) {
      stream.add(changes.of(event), d);
    }
  }

  private void admit(DashboardStream stream, Caller caller) {
    FairPool<DashboardStream>.Place place =
        running ? places.admit(Source.of(caller), stream) : null;
    if (place == null) {
      throw new ProblemException(
          ProblemType.OVERLOADED, "too many event streams are open", RETRY_SECONDS);
    }
    streams.put(stream, place);
  }

  private void ended(DashboardStream stream) {
    FairPool<DashboardStream>.Place place = streams.remove(stream);
    if (place != null) {
      place.release();
    }
  }

  @Override
  public void start() {
    running = true;
  }

  /** Stops before the web server, which would otherwise wait for the streams to end. */
  @Override
  public void stop() {
    running = false;
    streams.keySet().forEach(DashboardStream::close);
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
