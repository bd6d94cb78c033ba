package dev.vigil.gateway.dashboards.contents;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.dashboards.DashboardRights;
import dev.vigil.gateway.dashboards.DashboardRights.View;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.units.DisplayUnits;
import dev.vigil.gateway.units.DisplayUnitsJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reads the present contents of tiles. */
@RestController
class ContentsController {
  private final DashboardRights rights;
  private final TileReader reader;
  private final DisplayUnits units;
  private final ArchiveReadLimiter limiter;
  private final Clock clock;

  ContentsController(
      DashboardRights rights,
      TileReader reader,
      DisplayUnits units,
      ArchiveReadLimiter limiter,
      Clock clock) {
    this.rights = rights;
    this.reader = reader;
    this.units = units;
    this.limiter = limiter;
    this.clock = clock;
  }

  /**
   * @param at time of the answer
   * @param units in which the gateway shows numbers; the contents are in the signed units. Absent
   *     if the request names tiles
   */
  @Schema(name = "TileContents")
  record ContentsJson(Instant at, List<ContentJson> tiles, @Nullable DisplayUnitsJson units) {}

  @Operation(
      operationId = "getTileContents",
      summary = "The present contents of a dashboard's tiles",
      description =
          "A tile shows what its viewer may read: a domain that the viewer may not read is answered"
              + " with no-right. The token of a link shows what the link's maker may read now. Numbers"
              + " of charts are the gateway's own aggregates, which nobody signed.")
  @GetMapping("/api/dashboards/{id}/tiles")
  ContentsJson contents(
      HttpServletRequest request,
      @PathVariable String id,
      @Parameter(description = "only the tile with this id; may be repeated") @RequestParam
          @Nullable List<String> tile) {
    Caller caller = HttpCallers.of(request);
    View view = rights.view(caller, id);
    limiter.requireAllowed(caller);
    return new ContentsJson(
        clock.instant(),
        view.dashboard().value().tiles().stream()
            .filter(one -> tile == null || tile.contains(one.id()))
            .map(one -> reader.read(caller, one, view))
            .toList(),
        tile == null ? units.json() : null);
  }
}
