package dev.vigil.gateway.dashboards;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tile of a dashboard. The grid has twelve columns and any number of rows.
 *
 * @param id unique in the dashboard: up to 32 lower-case letters, digits and hyphens
 * @param title at most 100 characters; absent: a name that follows from the content
 * @param x column of its left edge, from 0
 * @param y row of its upper edge, from 0
 * @param w columns that it covers
 * @param h rows that it covers
 * @param text of a text tile, at most 2000 characters
 * @param tag of a tag tile
 * @param sources one of a value (with a path) or a state (without), up to eight of a chart
 * @param span of a chart
 * @param image of a plan, the name that its upload returned; absent: none yet
 * @param places of a plan, at most 250
 */
@Schema(name = "Tile")
public record Tile(
    String id,
    TileKind kind,
    @Nullable String title,
    int x,
    int y,
    int w,
    int h,
    @Nullable String text,
    @Nullable String tag,
    List<TileSource> sources,
    @Nullable Span span,
    @Nullable String image,
    List<PlanPlace> places) {
  /** The number of columns of the grid. */
  static final int COLUMNS = 12;

  /** A stored tile may lack its sources and places. */
  public Tile {
    sources = List.copyOf(Objects.requireNonNullElse(sources, List.of()));
    places = List.copyOf(Objects.requireNonNullElse(places, List.of()));
  }
}
