package dev.vigil.gateway.dashboards.contents;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.dashboards.DashboardRights.View;
import dev.vigil.gateway.dashboards.Span;
import dev.vigil.gateway.dashboards.Tile;
import dev.vigil.gateway.dashboards.TileSource;
import dev.vigil.gateway.dashboards.contents.ContentJson.ChartJson;
import dev.vigil.gateway.dashboards.contents.ContentJson.LineJson;
import dev.vigil.gateway.dashboards.contents.ContentJson.Sight;
import dev.vigil.gateway.limits.SearchLimiter;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.EndpointView;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads what tiles show, as far as a viewer may read it. */
@Component
class TileReader {
  private static final int MAX_LINES = 12;

  private final MirrorQueries mirror;
  private final EndpointMembers members;
  private final Readings readings;
  private final PlanReader plans;
  private final ChartReader charts;
  private final MeshReader mesh;
  private final SearchLimiter limiter;
  private final Clock clock;

  TileReader(
      MirrorQueries mirror,
      EndpointMembers members,
      Readings readings,
      PlanReader plans,
      ChartReader charts,
      MeshReader mesh,
      SearchLimiter limiter,
      Clock clock) {
    this.mirror = mirror;
    this.members = members;
    this.readings = readings;
    this.plans = plans;
    this.charts = charts;
    this.mesh = mesh;
    this.limiter = limiter;
    this.clock = clock;
  }

  /**
   * @param caller who pays for the work; a link's maker does not
   */
  ContentJson read(Caller caller, Tile tile, View view) {
    return switch (tile.kind()) {
      case VALUE -> value(tile, view);
      case STATE -> state(tile, view);
      case CHART -> chart(caller, tile, view);
      case TAG -> tag(caller, tile, view);
      case MESH -> limiter.search(caller, () -> mesh.read(tile.id(), view));
      case TEXT -> ContentJson.shown(tile.id());
      case PLAN -> limiter.search(caller, () -> plans.read(tile, view));
    };
  }

  /** An endpoint, or why it is not shown. */
  private record Sought(Sight sight, @Nullable EndpointView endpoint) {}

  private Sought endpoint(TileSource source, View view) {
    EndpointView endpoint = mirror.endpoint(source.endpoint()).orElse(null);
    if (endpoint == null) {
      return new Sought(Sight.GONE, null);
    }
    return view.shows(endpoint.d())
        ? new Sought(Sight.SHOWN, endpoint)
        : new Sought(Sight.NO_RIGHT, null);
  }

  private ContentJson state(Tile tile, View view) {
    Sought sought = endpoint(tile.sources().getFirst(), view);
    EndpointView endpoint = sought.endpoint();
    return endpoint == null
        ? ContentJson.of(tile.id(), sought.sight())
        : ContentJson.shown(tile.id()).with(List.of(members.member(endpoint)), null);
  }

  private ContentJson value(Tile tile, View view) {
    TileSource source = tile.sources().getFirst();
    Sought sought = endpoint(source, view);
    EndpointView endpoint = sought.endpoint();
    if (endpoint == null) {
      return ContentJson.of(tile.id(), sought.sight());
    }
    return readings
        .of(endpoint, source.path())
        .map(
            reading ->
                ContentJson.shown(tile.id())
                    .with(List.of(members.member(endpoint)), null)
                    .with(reading))
        .orElseGet(() -> ContentJson.of(tile.id(), Sight.GONE));
  }

  private ContentJson tag(Caller caller, Tile tile, View view) {
    String tag = Objects.requireNonNullElse(tile.tag(), "");
    EndpointMembers.Tagged found = limiter.search(caller, () -> members.tagged(tag, view));
    Map<String, Integer> counts = new TreeMap<>();
    found.counts().forEach((freshness, count) -> counts.put(LabelsOf.Label.of(freshness), count));
    return ContentJson.shown(tile.id()).with(found.members(), counts);
  }

  private ContentJson chart(Caller caller, Tile tile, View view) {
    Span span = Objects.requireNonNullElse(tile.span(), Span.DAY);
    long to = clock.instant().getEpochSecond() + 1;
    long from = Math.floorDiv(to - span.seconds(), span.bucket()) * span.bucket();
    List<LineJson> lines = new ArrayList<>();
    for (int i = 0; i < tile.sources().size(); i++) {
      TileSource source = tile.sources().get(i);
      Sought sought = endpoint(source, view);
      EndpointView endpoint = sought.endpoint();
      int before = lines.size();
      if (endpoint != null) {
        String name = members.name(endpoint.id(), endpoint.ep());
        String path = Objects.requireNonNullElse(source.path(), "");
        int number = i;
        charts
            .read(caller, endpoint, path, span.resolution(), from, to, span.bucket())
            .forEach(
                (measured, points) ->
                    lines.add(
                        new LineJson(
                            number,
                            LabelsOf.Label.of(Sight.SHOWN),
                            name,
                            measured.name(),
                            measured.unit().isEmpty() ? null : measured.unit(),
                            points,
                            readings.calibration(endpoint.id(), path, measured.name()))));
        if (lines.size() == before) {
          lines.add(
              new LineJson(
                  i, LabelsOf.Label.of(sought.sight()), name, null, null, List.of(), null));
        }
      } else {
        lines.add(
            new LineJson(i, LabelsOf.Label.of(sought.sight()), null, null, null, List.of(), null));
      }
    }
    return ContentJson.shown(tile.id())
        .with(
            new ChartJson(
                Instant.ofEpochSecond(from),
                Instant.ofEpochSecond(to),
                span.bucket(),
                lines.stream().limit(MAX_LINES).toList()));
  }
}
