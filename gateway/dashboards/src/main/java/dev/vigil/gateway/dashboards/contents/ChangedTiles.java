package dev.vigil.gateway.dashboards.contents;

import dev.vigil.gateway.dashboards.contents.ChangedTiles.Due;
import dev.vigil.gateway.streams.Backlog;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The ids of tiles that have changed for one viewer of a dashboard, without their contents. */
final class ChangedTiles implements Backlog<Due> {
  /** Data of the event "tiles". */
  record TilesJson(List<String> tiles) {}

  /** Data of the event "dashboard": read the dashboard again. */
  record DashboardJson() {}

  /** Changes to send together: the domains of changes by tile. */
  record Due(boolean dashboard, Map<String, Set<String>> tiles) {}

  private final Predicate<String> shows;
  private boolean dashboard;
  private Map<String, Set<String>> tiles = new LinkedHashMap<>();

  /**
   * @param shows whether the viewer may see things of a domain; asked before each event, so that
   *     the time of an event reveals nothing about others
   */
  ChangedTiles(Predicate<String> shows) {
    this.shows = shows;
  }

  /** Something of a domain has changed that tiles show. */
  void add(List<String> changed, String domain) {
    changed.forEach(tile -> tiles.computeIfAbsent(tile, any -> new HashSet<>()).add(domain));
  }

  /** The dashboard itself has changed. */
  void addDashboard() {
    dashboard = true;
  }

  @Override
  public boolean isEmpty() {
    return tiles.isEmpty() && !dashboard;
  }

  @Override
  public @Nullable Due poll() {
    if (isEmpty()) {
      return null;
    }
    Due due = new Due(dashboard, tiles);
    dashboard = false;
    tiles = new LinkedHashMap<>();
    return due;
  }

  @Override
  public void send(Due due, SseEmitter emitter) throws IOException {
    if (due.dashboard()) {
      emitter.send(
          SseEmitter.event()
              .name("dashboard")
              .data(new DashboardJson(), MediaType.APPLICATION_JSON));
      return;
    }
    List<String> visible =
        due.tiles().entrySet().stream()
            .filter(one -> one.getValue().stream().anyMatch(shows))
            .map(Map.Entry::getKey)
            .toList();
    if (!visible.isEmpty()) {
      emitter.send(
          SseEmitter.event()
              .name("tiles")
              .data(new TilesJson(visible), MediaType.APPLICATION_JSON));
    }
  }
}
