package dev.vigil.gateway.dashboards.contents;

import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.dashboards.DashboardRights.View;
import dev.vigil.gateway.dashboards.PlanPlace;
import dev.vigil.gateway.dashboards.Tile;
import dev.vigil.gateway.dashboards.contents.ContentJson.PlaceJson;
import dev.vigil.gateway.dashboards.contents.ContentJson.Sight;
import dev.vigil.gateway.openalarms.EndpointAlarms;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.EndpointView;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Reads the states and values at the places of a floor plan. */
@Component
class PlanReader {
  private final MirrorQueries mirror;
  private final EndpointMembers members;
  private final Readings readings;
  private final EndpointAlarms alarms;

  PlanReader(
      MirrorQueries mirror, EndpointMembers members, Readings readings, EndpointAlarms alarms) {
    this.mirror = mirror;
    this.members = members;
    this.readings = readings;
    this.alarms = alarms;
  }

  ContentJson read(Tile tile, View view) {
    Set<String> alarmed =
        alarms.alarmed(tile.places().stream().map(PlanPlace::endpoint).collect(Collectors.toSet()));
    List<PlaceJson> places =
        tile.places().stream().map(place -> place(place, view, alarmed)).toList();
    return ContentJson.shown(tile.id()).withPlaces(places);
  }

  private PlaceJson place(PlanPlace place, View view, Set<String> alarmed) {
    EndpointView endpoint = mirror.endpoint(place.endpoint()).orElse(null);
    if (endpoint == null) {
      return nothing(Sight.GONE);
    }
    if (!view.shows(endpoint.d())) {
      return nothing(Sight.NO_RIGHT);
    }
    return new PlaceJson(
        LabelsOf.Label.of(Sight.SHOWN),
        members.member(endpoint),
        alarmed.contains(endpoint.id()),
        readings.of(endpoint, place.path()).orElse(null));
  }

  private static PlaceJson nothing(Sight sight) {
    return new PlaceJson(LabelsOf.Label.of(sight), null, false, null);
  }
}
