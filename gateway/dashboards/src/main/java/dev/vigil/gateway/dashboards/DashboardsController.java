package dev.vigil.gateway.dashboards;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.EntityTags;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.dashboards.images.PlanImages;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.RecordIds;
import dev.vigil.gateway.records.Versioned;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows the dashboards and lets operators change them. */
@RestController
class DashboardsController {
  /** A record, in which numbers may have more digits, has at most 64 KiB. */
  private static final int MAX_BODY = 48 << 10;

  private static final String ONE = "/api/dashboards/{id}";

  private final Dashboards dashboards;
  private final DashboardRights rights;
  private final PlanImages images;
  private final UnusedImages unused;
  private final Clock clock;

  DashboardsController(
      Dashboards dashboards,
      DashboardRights rights,
      PlanImages images,
      UnusedImages unused,
      Clock clock) {
    this.dashboards = dashboards;
    this.rights = rights;
    this.images = images;
    this.unused = unused;
    this.clock = clock;
  }

  record DashboardsJson(List<DashboardJson> dashboards) {}

  @Operation(
      operationId = "listDashboards",
      summary = "The dashboards that the caller sees, in the order of their ids",
      description = "The token of a link gets the dashboard that the link shows.")
  @GetMapping("/api/dashboards")
  DashboardsJson all(HttpServletRequest request) {
    return new DashboardsJson(
        rights.visible(HttpCallers.of(request)).stream().map(DashboardJson::of).toList());
  }

  @Operation(operationId = "getDashboard", summary = "One dashboard; its ETag is for If-Match")
  @GetMapping(ONE)
  ResponseEntity<DashboardJson> one(HttpServletRequest request, @PathVariable String id) {
    return answer(rights.view(HttpCallers.of(request), id).dashboard());
  }

  private static ResponseEntity<DashboardJson> answer(Versioned<Dashboard> dashboard) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(dashboard.version()))
        .body(DashboardJson.of(dashboard));
  }

  @Operation(
      operationId = "putDashboard",
      summary = "Creates or changes a dashboard",
      description =
          "With If-Match the dashboard changes only if nobody else has changed it. Operators of its"
              + " domain may change it, or operators of all domains if it has none. A tile may name"
              + " endpoints that a viewer may not read; such a viewer does not see them.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = DashboardBodyJson.class))))
  @PutMapping(path = ONE, consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<DashboardJson> put(
      HttpServletRequest request,
      @PathVariable String id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch)
      throws IOException {
    Caller caller = HttpCallers.of(request);
    rights.requireReader(caller);
    RecordIds.require(id);
    replaced(caller, id);
    DashboardBodyJson body = JsonBodies.read(request, DashboardBodyJson.class, MAX_BODY);
    // Another operator may have made or changed the dashboard while the body was arriving.
    Versioned<Dashboard> present = replaced(caller, id);
    Instant createdAt = present == null ? clock.instant() : present.value().createdAt();
    Dashboard dashboard = body.dashboard(id, createdAt);
    rights.requireOperator(caller, dashboard);
    requireImages(id, dashboard);
    OptionalLong version =
        EntityTags.judged(present == null ? null : present.version(), ifMatch, ifNoneMatch);
    FutureResults.of(dashboards.put(id, dashboard, version, caller.label())).require("dashboard");
    unused.sweep();
    return answer(dashboards.get(id).orElseThrow(DashboardRights::unknown));
  }

  /** The dashboard that a change replaces, which the caller must be permitted to change. */
  private @Nullable Versioned<Dashboard> replaced(Caller caller, String id) {
    Versioned<Dashboard> present = dashboards.get(id).orElse(null);
    if (present != null) {
      rights.requireOperator(caller, present.value());
    }
    return present;
  }

  private void requireImages(String id, Dashboard dashboard) {
    for (int i = 0; i < dashboard.tiles().size(); i++) {
      String image = dashboard.tiles().get(i).image();
      if (image != null && !images.has(id, image)) {
        throw new ProblemException(
            ProblemType.INVALID_BODY,
            "tiles[" + i + "].image: the dashboard has no such image: upload it first");
      }
    }
  }

  @Operation(
      operationId = "removeDashboard",
      summary = "Removes a dashboard, its links and its images")
  @DeleteMapping(ONE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(
      HttpServletRequest request,
      @PathVariable String id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Caller caller = HttpCallers.of(request);
    Versioned<Dashboard> present = rights.operated(caller, id);
    OptionalLong version = EntityTags.judged(present.version(), ifMatch, null);
    FutureResults.of(dashboards.remove(present, version, caller.label())).require("dashboard");
  }
}
