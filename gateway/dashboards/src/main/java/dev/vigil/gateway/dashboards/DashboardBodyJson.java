package dev.vigil.gateway.dashboards;

import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.tags.TagGrammar;
import dev.vigil.store.NameGrammar;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A dashboard in requests. An answer can be sent back unchanged: id is ignored.
 *
 * @param name at most 100 characters; absent: the id
 * @param d the only domain of which it shows anything, "-" for the one without a name; absent: any
 * @param tiles at most 40
 */
record DashboardBodyJson(
    @Nullable String id,
    @Nullable String name,
    @Nullable String d,
    @Nullable List<@Nullable TileBodyJson> tiles) {
  private static final int MAX_TILES = 40;
  private static final int MAX_NAME = 100;
  private static final int MAX_TEXT = 2000;
  private static final int MAX_SOURCES = 8;
  private static final int MAX_ROW = 400;
  private static final int MAX_HEIGHT = 20;
  private static final int MAX_PATH = 255;
  private static final int MAX_PLACES = 250;

  /** Four decimals are exact to a pixel of the largest image. */
  private static final double DECIMALS = 10_000;

  private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final Pattern TILE_ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");
  private static final Pattern ENDPOINT_ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  /** The members of {@link Tile}; missing ones are null. */
  record TileBodyJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String id,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable TileKind kind,
      @Nullable String title,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable Integer x,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable Integer y,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable Integer w,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable Integer h,
      @Nullable String text,
      @Nullable String tag,
      @Nullable List<@Nullable SourceBodyJson> sources,
      @Nullable Span span,
      @Nullable String image,
      @Nullable List<@Nullable PlaceBodyJson> places) {}

  /** The members of {@link TileSource}; missing ones are null. */
  record SourceBodyJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String endpoint,
      @Nullable String path) {}

  /** The members of {@link PlanPlace}; missing ones are null. */
  record PlaceBodyJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String endpoint,
      @Nullable String path,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable Double x,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable Double y) {}

  /**
   * The dashboard that a request describes.
   *
   * @param called its id
   * @param createdAt of the dashboard
   * @throws ProblemException 4.00, names the member that is wrong
   */
  Dashboard dashboard(String called, Instant createdAt) {
    List<@Nullable TileBodyJson> given = tiles == null ? List.of() : tiles;
    require(given.size() <= MAX_TILES, "tiles", "has more than " + MAX_TILES + " items");
    List<Tile> read = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < given.size(); i++) {
      String at = "tiles[" + i + "]";
      TileBodyJson body = given.get(i);
      if (body == null) {
        throw refused(at, "is null");
      }
      Tile tile = tile(at, body);
      require(ids.add(tile.id()), at + ".id", "is the id of an earlier tile");
      read.add(tile);
    }
    return new Dashboard(title("name", name, called), domain(), read, createdAt);
  }

  private @Nullable String domain() {
    String fault = d == null || d.equals(DomainNames.NAMELESS) ? null : NameGrammar.fault(d);
    require(fault == null, "d", String.valueOf(fault));
    return d == null ? null : DomainNames.named(d);
  }

  private static Tile tile(String at, TileBodyJson body) {
    TileKind kind = body.kind();
    if (kind == null) {
      throw refused(at + ".kind", "is missing");
    }
    String id = body.id() == null ? "" : body.id();
    require(
        TILE_ID.matcher(id).matches(),
        at + ".id",
        "takes 1 to 32 lower-case letters, digits and hyphens");
    int x = within(at + ".x", body.x(), 0, Tile.COLUMNS - 1);
    return new Tile(
        id,
        kind,
        body.title() == null || body.title().isBlank()
            ? null
            : title(at + ".title", body.title(), ""),
        x,
        within(at + ".y", body.y(), 0, MAX_ROW),
        within(at + ".w", body.w(), 1, Tile.COLUMNS - x),
        within(at + ".h", body.h(), 1, MAX_HEIGHT),
        text(at + ".text", body.text(), kind),
        tag(at + ".tag", body.tag(), kind),
        sources(at + ".sources", body.sources(), kind),
        span(at + ".span", body.span(), kind),
        image(at + ".image", body.image(), kind),
        places(at + ".places", body.places(), kind));
  }

  private static @Nullable String text(String member, @Nullable String given, TileKind kind) {
    requireUse(member, given, kind == TileKind.TEXT);
    require(
        given == null || given.length() <= MAX_TEXT,
        member,
        "has more than " + MAX_TEXT + " characters");
    require(
        given == null || given.lines().allMatch(line -> NameGrammar.invisible(line).isEmpty()),
        member,
        "holds a character that is not shown");
    return given;
  }

  private static @Nullable String tag(String member, @Nullable String given, TileKind kind) {
    requireUse(member, given, kind == TileKind.TAG);
    return given == null ? null : TagGrammar.tags(member, List.of(given)).getFirst();
  }

  private static @Nullable Span span(String member, @Nullable Span given, TileKind kind) {
    requireUse(member, given, kind == TileKind.CHART);
    return given;
  }

  private static List<TileSource> sources(
      String member, @Nullable List<@Nullable SourceBodyJson> given, TileKind kind) {
    List<@Nullable SourceBodyJson> all = given == null ? List.of() : given;
    int most =
        switch (kind) {
          case VALUE, STATE -> 1;
          case CHART -> MAX_SOURCES;
          case TAG, MESH, TEXT, PLAN -> 0;
        };
    require(all.size() <= most, member, "has more than " + most + " items for a tile of this kind");
    require(most == 0 || !all.isEmpty(), member, "is missing");
    List<TileSource> sources = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      SourceBodyJson source = all.get(i);
      String at = member + "[" + i + "]";
      String endpoint = endpoint(at, source == null ? null : source.endpoint());
      String path = path(at, source == null ? null : source.path());
      require(
          (kind == TileKind.STATE) == (path == null),
          at + ".path",
          path == null ? "is missing" : "does not apply to this kind");
      sources.add(new TileSource(endpoint, path));
    }
    return List.copyOf(sources);
  }

  private static String endpoint(String at, @Nullable String given) {
    String endpoint = given == null ? "" : given;
    require(ENDPOINT_ID.matcher(endpoint).matches(), at + ".endpoint", "is no id of an endpoint");
    return endpoint;
  }

  private static @Nullable String path(String at, @Nullable String given) {
    require(
        given == null || !given.isEmpty() && given.length() <= MAX_PATH,
        at + ".path",
        "takes 1 to " + MAX_PATH + " characters");
    return given;
  }

  private static @Nullable String image(String member, @Nullable String given, TileKind kind) {
    require(given == null || kind == TileKind.PLAN, member, "does not apply to this kind");
    require(given == null || IMAGE.matcher(given).matches(), member, "is no name of an image");
    return given;
  }

  private static List<PlanPlace> places(
      String member, @Nullable List<@Nullable PlaceBodyJson> given, TileKind kind) {
    List<@Nullable PlaceBodyJson> all = given == null ? List.of() : given;
    require(all.isEmpty() || kind == TileKind.PLAN, member, "does not apply to this kind");
    require(all.size() <= MAX_PLACES, member, "has more than " + MAX_PLACES + " items");
    List<PlanPlace> places = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      String at = member + "[" + i + "]";
      PlaceBodyJson place = all.get(i);
      if (place == null) {
        throw refused(at, "is null");
      }
      places.add(
          new PlanPlace(
              endpoint(at, place.endpoint()),
              path(at, place.path()),
              fraction(at + ".x", place.x()),
              fraction(at + ".y", place.y())));
    }
    return places;
  }

  private static double fraction(String member, @Nullable Double given) {
    if (given == null) {
      throw refused(member, "is missing");
    }
    require(given >= 0 && given <= 1, member, "takes 0 to 1");
    return Math.round(given * DECIMALS) / DECIMALS;
  }

  private static String title(String member, @Nullable String given, String defaults) {
    if (given == null || given.isBlank()) {
      return defaults;
    }
    require(given.length() <= MAX_NAME, member, "has more than " + MAX_NAME + " characters");
    require(NameGrammar.invisible(given).isEmpty(), member, "holds a character that is not shown");
    return given.strip();
  }

  private static int within(String member, @Nullable Integer given, int least, int most) {
    if (given == null) {
      throw refused(member, "is missing");
    }
    require(given >= least && given <= most, member, "takes " + least + " to " + most);
    return given;
  }

  /** A member is needed by the kinds that use it, and refused by the others. */
  private static void requireUse(String member, @Nullable Object given, boolean used) {
    require(given != null || !used, member, "is missing");
    require(given == null || used, member, "does not apply to this kind");
  }

  private static void require(boolean holds, String member, String fault) {
    if (!holds) {
      throw refused(member, fault);
    }
  }

  private static ProblemException refused(String member, String fault) {
    return new ProblemException(ProblemType.INVALID_BODY, member + ": " + fault);
  }
}
