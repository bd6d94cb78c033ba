package dev.vigil.gateway.dashboards.contents;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.calibrations.CalibratedEndpoints;
import dev.vigil.gateway.calibrations.Calibration;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.dashboards.contents.ChartReader.Measured;
import dev.vigil.gateway.dashboards.contents.ContentJson.PointJson;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.ResourceView;
import dev.vigil.signed.senml.SenmlValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The last day of many endpoints in few numbers, for lists. */
@RestController
class SparklinesController {
  private static final int MAX_ENDPOINTS = 100;
  private static final long HOUR = Duration.ofHours(1).toSeconds();
  private static final long DAY = Duration.ofDays(1).toSeconds();

  private final MirrorQueries mirror;
  private final Access access;
  private final CalibratedEndpoints calibrated;
  private final ChartReader charts;
  private final ArchiveReadLimiter limiter;
  private final Clock clock;

  SparklinesController(
      MirrorQueries mirror,
      Access access,
      CalibratedEndpoints calibrated,
      ChartReader charts,
      ArchiveReadLimiter limiter,
      Clock clock) {
    this.mirror = mirror;
    this.access = access;
    this.calibrated = calibrated;
    this.charts = charts;
    this.limiter = limiter;
    this.clock = clock;
  }

  @Schema(name = "Sparklines")
  record SparklinesJson(List<SparklineJson> sparklines) {}

  /**
   * @param endpoint its id
   * @param path of the resource
   * @param points means of each hour, oldest first; hours without a number are left out
   * @param calibration with which pages show the points
   */
  @Schema(name = "Sparkline")
  record SparklineJson(
      String endpoint,
      String path,
      String measured,
      @Nullable String unit,
      List<PointJson> points,
      @Nullable Calibration calibration) {}

  @Operation(
      operationId = "listSparklines",
      summary = "The last 24 hours of the first number of each of some endpoints",
      description =
          "The numbers are the gateway's own aggregates by hour, which nobody signed. Endpoints that"
              + " the caller may not read, that are unknown or that have no numbers are left out.")
  @GetMapping("/api/sparklines")
  SparklinesJson sparklines(
      HttpServletRequest request,
      @Parameter(description = "id of an endpoint; may be repeated, at most 100 times")
          @RequestParam
          @Nullable List<String> endpoint) {
    Caller caller = HttpCallers.of(request);
    VisibleDomains visible =
        VisibleDomains.of(access, caller, Action.READ, mirror.domains().keySet(), null);
    List<String> ids = endpoint == null ? List.of() : endpoint;
    if (ids.size() > MAX_ENDPOINTS) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER, "endpoint: may be given at most 100 times");
    }
    limiter.requireAllowed(caller);
    return new SparklinesJson(
        ids.stream()
            .distinct()
            .flatMap(id -> mirror.endpoint(id).stream())
            .filter(one -> visible.test(one.d()))
            .flatMap(one -> sparkline(caller, one).stream())
            .toList());
  }

  private Optional<SparklineJson> sparkline(Caller caller, EndpointView endpoint) {
    long to = clock.instant().getEpochSecond() + 1;
    long from = Resolution.HOUR.start(to - DAY);
    for (ResourceView resource : endpoint.resources()) {
      if (resource.value() instanceof SenmlValue.Number) {
        Map<Measured, List<PointJson>> found =
            charts.read(caller, endpoint, resource.path(), Resolution.HOUR, from, to, HOUR);
        for (Map.Entry<Measured, List<PointJson>> one : found.entrySet()) {
          String unit = one.getKey().unit();
          return Optional.of(
              new SparklineJson(
                  endpoint.id(),
                  resource.path(),
                  one.getKey().name(),
                  unit.isEmpty() ? null : unit,
                  one.getValue(),
                  calibrated.of(endpoint.id(), resource.path(), one.getKey().name())));
        }
      }
    }
    return Optional.empty();
  }
}
