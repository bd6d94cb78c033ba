package dev.vigil.gateway.calibrations;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.EntityTags;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.api.UnknownIds;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.Presence;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
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

/** Shows the calibrations of an endpoint and lets operators change them. */
@RestController
class CalibrationsController {
  private static final String PATH = "/api/endpoints/{id}/calibrations";

  private final CalibratedEndpoints calibrated;
  private final MirrorQueries mirror;
  private final Access access;

  CalibrationsController(CalibratedEndpoints calibrated, MirrorQueries mirror, Access access) {
    this.calibrated = calibrated;
    this.mirror = mirror;
    this.access = access;
  }

  /** The calibrations of an endpoint. */
  @Schema(name = "Calibrations")
  record CalibrationsJson(List<Calibration> calibrations) {}

  @Operation(
      operationId = "getCalibrations",
      summary = "The calibrations of an endpoint's resources, with their ETag",
      description =
          "Pages show a number, times factor, plus offset. Values in this API, alarms, exports and"
              + " deliveries stay as the endpoint signed them.")
  @GetMapping(PATH)
  ResponseEntity<CalibrationsJson> get(HttpServletRequest request, @PathVariable String id) {
    return answer(require(HttpCallers.of(request), Action.LOOK_UP, id));
  }

  private ResponseEntity<CalibrationsJson> answer(Presence endpoint) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(version(endpoint)))
        .body(new CalibrationsJson(calibrated.of(endpoint.id())));
  }

  private long version(Presence endpoint) {
    return calibrated.get(endpoint.id()).map(Versioned::version).orElse(0L);
  }

  @Operation(
      operationId = "setCalibrations",
      summary = "Replaces the calibrations of an endpoint; none removes all",
      description =
          "They are forgotten with the endpoint. With If-Match they change only if nobody else has"
              + " changed them.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = CalibrationsBodyJson.class))))
  @PutMapping(path = PATH, consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<CalibrationsJson> put(
      HttpServletRequest request,
      @PathVariable String id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch)
      throws IOException {
    Caller caller = HttpCallers.of(request);
    Presence endpoint = require(caller, Action.OPERATE, id);
    List<Calibration> given = JsonBodies.read(request, CalibrationsBodyJson.class).read();
    OptionalLong version = EntityTags.condition(version(endpoint), ifMatch, ifNoneMatch);
    change(caller, endpoint, given, version);
    return answer(endpoint);
  }

  @Operation(
      operationId = "removeCalibrations",
      summary = "Removes the calibrations of an endpoint")
  @DeleteMapping(PATH)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(
      HttpServletRequest request,
      @PathVariable String id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Caller caller = HttpCallers.of(request);
    Presence endpoint = require(caller, Action.OPERATE, id);
    change(caller, endpoint, List.of(), EntityTags.ifMatch(ifMatch));
  }

  private void change(
      Caller caller, Presence endpoint, List<Calibration> to, OptionalLong version) {
    Outcome outcome = FutureResults.of(calibrated.put(endpoint, to, version, caller.label()));
    if (outcome instanceof Outcome.Conflict) {
      throw new ProblemException(
          ProblemType.CHANGED_MEANWHILE,
          "the calibrations have changed meanwhile, so nothing was written: read them again");
    }
    outcome.require("calibrations");
  }

  private Presence require(Caller caller, Action action, String id) {
    Presence endpoint = mirror.presence(id).orElse(null);
    if (endpoint == null) {
      throw UnknownIds.answer(
          access, caller, action, mirror.domains().keySet(), "no proven endpoint has this id");
    }
    access.require(caller, action, endpoint.d());
    return endpoint;
  }
}
