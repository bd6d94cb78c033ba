package dev.vigil.gateway.dashboards.contents;

import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.gateway.dashboards.Dashboard;
import dev.vigil.gateway.dashboards.PlanPlace;
import dev.vigil.gateway.dashboards.Tile;
import dev.vigil.gateway.dashboards.TileKind;
import dev.vigil.gateway.dashboards.TileSource;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.mirror.read.MirrorEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the tiles that show what has changed. Cheap, because the feed's thread calls it. */
final class TileChanges {
  /** Events about the shape of the mesh; the figures of radios are not shown. */
  private static final Set<String> OF_MESH =
      Set.of("neighbour", "neighbour-gone", "node", "node-gone", "network");

  private static final String OF_ENDPOINT = "endpoint";
  private static final String OF_ALARM = "alarm";

  private final TaggedEndpoints tagged;
  private final Map<String, List<String>> byEndpoint = new HashMap<>();
  private final Map<String, List<String>> byTag = new HashMap<>();
  private final List<String> ofMesh = new ArrayList<>();
  private final List<String> ofAlarms = new ArrayList<>();

  TileChanges(Dashboard dashboard, TaggedEndpoints tagged) {
    this.tagged = tagged;
    dashboard.tiles().forEach(this::add);
  }

  private void add(Tile tile) {
    for (TileSource source : tile.sources()) {
      byEndpoint.computeIfAbsent(source.endpoint(), any -> new ArrayList<>()).add(tile.id());
    }
    for (PlanPlace place : tile.places()) {
      byEndpoint.computeIfAbsent(place.endpoint(), any -> new ArrayList<>()).add(tile.id());
    }
    if (tile.kind() == TileKind.PLAN) {
      ofAlarms.add(tile.id());
    }
    String tag = tile.tag();
    if (tag != null) {
      byTag.computeIfAbsent(tag, any -> new ArrayList<>()).add(tile.id());
    }
    if (tile.kind() == TileKind.MESH) {
      ofMesh.add(tile.id());
    }
  }

  List<String> of(MirrorEvent event) {
    List<String> tiles = new ArrayList<>(byEndpoint.getOrDefault(event.id(), List.of()));
    if (!byTag.isEmpty()) {
      tagged.of(event.id()).forEach(tag -> tiles.addAll(byTag.getOrDefault(tag, List.of())));
    }
    return tiles;
  }

  /** A label or a tag was changed, an alarm, or the mesh. */
  List<String> of(FeatureEvent event) {
    if (OF_MESH.contains(event.name())) {
      return ofMesh;
    }
    if (event.name().equals(OF_ALARM)) {
      return ofAlarms;
    }
    if (!event.name().equals(OF_ENDPOINT)) {
      return List.of();
    }
    List<String> tiles = new ArrayList<>(byEndpoint.getOrDefault(event.id(), List.of()));
    // The endpoint may have lost the tag that a tile shows.
    byTag.values().forEach(tiles::addAll);
    return tiles;
  }
}
