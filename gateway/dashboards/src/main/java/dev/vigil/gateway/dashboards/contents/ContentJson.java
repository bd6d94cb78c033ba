package dev.vigil.gateway.dashboards.contents;

import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.calibrations.Calibration;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.Freshness;
import dev.vigil.mirror.read.history.ValueMark;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The present content of a tile. Members that do not apply to its kind are absent.
 *
 * @param tile its id
 * @param sight shown; no-right: the viewer may not read it, or the dashboard's domain excludes it;
 *     gone: there is no such endpoint, resource or radio
 * @param endpoints of a value or a state: the endpoint; of a tag: its endpoints, worst state first,
 *     at most 300
 * @param counts of a tag: the number of endpoints by freshness
 * @param value of a value
 * @param chart of a chart
 * @param nodes of the mesh, the gateway first
 * @param places of a plan, in the order of the tile's places
 */
@Schema(name = "TileContent")
record ContentJson(
    String tile,
    @LabelsOf(Sight.class) String sight,
    @Nullable List<MemberJson> endpoints,
    @Nullable Map<String, Integer> counts,
    @Nullable ReadingJson value,
    @Nullable ChartJson chart,
    @Nullable List<NodeJson> nodes,
    @Nullable List<PlaceJson> places) {

  /** Whether a viewer sees something. */
  enum Sight {
    SHOWN,
    NO_RIGHT,
    GONE
  }

  /**
   * @param id of the endpoint
   * @param name that operators gave it, or its endpoint name
   * @param lateAt when it becomes late unless it is heard before; absent while its key is not
   *     trusted
   * @param missingAt when it becomes missing; absent like {@code lateAt}
   */
  @Schema(name = "TileEndpoint")
  record MemberJson(
      String id,
      String name,
      @LabelsOf(TrustState.class) String trust,
      @LabelsOf(Freshness.class) String freshness,
      Instant heardAt,
      @Nullable Instant lateAt,
      @Nullable Instant missingAt) {}

  /**
   * @param value the last value: number, text, true or false; octets in base64url; absent before
   *     the first
   * @param calibration with which pages show the value; the value is as the endpoint signed it
   */
  @Schema(name = "TileValue")
  record ReadingJson(
      @Nullable String unit,
      @Schema(types = {"number", "string", "boolean"}) @Nullable Object value,
      @Nullable Instant arrivedAt,
      @LabelsOf(ValueMark.class) List<String> marks,
      @Nullable Calibration calibration) {}

  /**
   * @param from start of the chart
   * @param bucketSeconds time between two points
   * @param lines one for each source and measured name; a source that is not shown has one without
   *     points
   */
  @Schema(name = "TileChart")
  record ChartJson(Instant from, Instant to, long bucketSeconds, List<LineJson> lines) {}

  /**
   * @param source number of its source in the tile, from 0
   * @param name of its endpoint; absent if it is not shown
   * @param measured name that was measured; absent without points
   * @param calibration with which pages show the points
   */
  @Schema(name = "TileLine")
  record LineJson(
      int source,
      @LabelsOf(Sight.class) String sight,
      @Nullable String name,
      @Nullable String measured,
      @Nullable String unit,
      List<PointJson> points,
      @Nullable Calibration calibration) {}

  /** The numbers of one interval, computed by the gateway and not signed. */
  @Schema(name = "TilePoint")
  record PointJson(Instant start, double mean, double min, double max) {}

  /**
   * @param parent position in the list of the next node towards the gateway; absent if none is
   *     known, and for the gateway
   * @param name of its endpoint; absent if it is not known or the viewer may not read it
   * @param hops from the gateway, which has 0; absent without a route
   * @param silentSeconds since it was heard; absent if unknown
   * @param etx expected transmissions per frame on the link to the gateway; absent if unknown
   */
  @Schema(name = "TileNode")
  record NodeJson(
      @Nullable Integer parent,
      @Nullable String name,
      @Nullable Integer hops,
      @Nullable Long silentSeconds,
      @Nullable Double etx) {}

  /**
   * @param endpoint absent if it is not shown
   * @param alarm whether an alarm of the endpoint is open
   * @param value absent without a path, and if there is no such resource
   */
  @Schema(name = "TilePlace")
  record PlaceJson(
      @LabelsOf(Sight.class) String sight,
      @Nullable MemberJson endpoint,
      boolean alarm,
      @Nullable ReadingJson value) {}

  /** A tile that shows nothing. */
  static ContentJson of(String tile, Sight sight) {
    return new ContentJson(tile, LabelsOf.Label.of(sight), null, null, null, null, null, null);
  }

  static ContentJson shown(String tile) {
    return of(tile, Sight.SHOWN);
  }

  ContentJson with(List<MemberJson> members, @Nullable Map<String, Integer> numbers) {
    return new ContentJson(tile, sight, members, numbers, value, chart, nodes, places);
  }

  ContentJson with(ReadingJson reading) {
    return new ContentJson(tile, sight, endpoints, counts, reading, chart, nodes, places);
  }

  ContentJson with(ChartJson drawn) {
    return new ContentJson(tile, sight, endpoints, counts, value, drawn, nodes, places);
  }

  ContentJson withNodes(List<NodeJson> mesh) {
    return new ContentJson(tile, sight, endpoints, counts, value, chart, mesh, places);
  }

  ContentJson withPlaces(List<PlaceJson> plan) {
    return new ContentJson(tile, sight, endpoints, counts, value, chart, nodes, plan);
  }
}
