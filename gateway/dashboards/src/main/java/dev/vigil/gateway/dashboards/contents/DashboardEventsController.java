package dev.vigil.gateway.dashboards.contents;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.EventSource;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.dashboards.Dashboard;
import dev.vigil.gateway.dashboards.DashboardRights;
import dev.vigil.gateway.dashboards.DashboardRights.View;
import dev.vigil.gateway.dashboards.Dashboards;
import dev.vigil.gateway.dashboards.contents.ChangedTiles.Due;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.streams.ClientStream;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.mirror.MirrorQueries;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Streams the ids of tiles that have changed as server-sent events. */
@RestController
class DashboardEventsController {
  /** Changes that follow closely are sent together. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final DashboardRights rights;
  private final Dashboards dashboards;
  private final MirrorQueries mirror;
  private final TaggedEndpoints tagged;
  private final List<EventSource> sources;
  private final DashboardStreams streams;

  DashboardEventsController(
      DashboardRights rights,
      Dashboards dashboards,
      MirrorQueries mirror,
      TaggedEndpoints tagged,
      List<EventSource> sources,
      DashboardStreams streams) {
    this.rights = rights;
    this.dashboards = dashboards;
    this.mirror = mirror;
    this.tagged = tagged;
    this.sources = List.copyOf(sources);
    this.streams = streams;
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
    ChangedTiles changed = new ChangedTiles(view::shows);
    ClientStream<Due> stream = new ClientStream<>(changed, HttpCallers.validity(request), PAUSE);
    return streams.open(
        caller, stream, () -> follow(stream, changed, view), SseEmitter.event().comment("vigil"));
  }

  private void follow(ClientStream<Due> stream, ChangedTiles changed, View view) {
    Versioned<Dashboard> dashboard = view.dashboard();
    TileChanges changes = new TileChanges(dashboard.value(), tagged);
    long position = mirror.position();
    stream.follow(
        mirror.follow(position, event -> add(stream, changed, changes.of(event), event.d())));
    sources.forEach(
        source ->
            stream.follow(
                source.follow(
                    position, event -> add(stream, changed, changes.of(event), event.d()))));
    stream.follow(
        dashboards.onChange(
            change -> {
              if (change.id().equals(dashboard.id()) && change.position() != dashboard.version()) {
                stream.change(changed::addDashboard);
              }
            }));
  }

  /** Events of no domain are about the gateway, which no tile shows. */
  private static void add(
      ClientStream<Due> stream, ChangedTiles changed, List<String> tiles, @Nullable String d) {
    if (d != null && !tiles.isEmpty()) {
      stream.change(() -> changed.add(tiles, d));
    }
  }
}
