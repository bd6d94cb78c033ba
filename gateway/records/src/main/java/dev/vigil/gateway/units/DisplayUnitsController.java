package dev.vigil.gateway.units;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.EntityTags;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.mirror.MirrorQueries;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Lists the units in which numbers can be shown, and those that the gateway chooses. */
@RestController
class DisplayUnitsController {
  private static final String PATH = "/api/display-units";

  private final DisplayUnits units;
  private final MirrorQueries mirror;
  private final Access access;

  DisplayUnitsController(DisplayUnits units, MirrorQueries mirror, Access access) {
    this.units = units;
    this.mirror = mirror;
    this.access = access;
  }

  /**
   * @param chosen units of different quantities; empty: as the endpoints signed them
   */
  @Schema(name = "DisplayUnitsBody")
  record BodyJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable List<String> chosen) {}

  @Operation(
      operationId = "getDisplayUnits",
      summary = "The units in which numbers can be shown, and the gateway's choice, with its ETag",
      description =
          "Numbers of the REST API are in the units that the endpoints signed. Clients convert: a"
              + " number in the first unit of a quantity, times numerator, divided by denominator,"
              + " plus offset.")
  @GetMapping(PATH)
  ResponseEntity<DisplayUnitsJson> get(HttpServletRequest request) {
    VisibleDomains.of(access, HttpCallers.of(request), mirror.domains().keySet(), null);
    return answer();
  }

  private ResponseEntity<DisplayUnitsJson> answer() {
    return ResponseEntity.ok().eTag(EntityTags.of(units.version())).body(units.json());
  }

  @Operation(
      operationId = "setDisplayUnits",
      summary = "Chooses the units that pages show unless a person chooses others",
      description = "With If-Match they change only if nobody else has changed them.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = BodyJson.class))))
  @PutMapping(path = PATH, consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<DisplayUnitsJson> put(
      HttpServletRequest request,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch)
      throws IOException {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.ADMINISTER, Access.EVERY_DOMAIN);
    List<String> chosen =
        JsonBodies.required(JsonBodies.read(request, BodyJson.class).chosen(), "chosen");
    requireKnown(chosen);
    FutureResults.of(
            units.choose(
                chosen,
                EntityTags.condition(units.version(), ifMatch, ifNoneMatch),
                Audit.of(caller, "chose units: " + String.join(", ", chosen))))
        .require("choice of units");
    return answer();
  }

  private static void requireKnown(List<String> chosen) {
    Set<List<DisplayUnit>> quantities = new HashSet<>();
    for (String unit : chosen) {
      List<DisplayUnit> quantity =
          UnitTable.QUANTITIES.stream()
              .filter(units -> units.stream().anyMatch(one -> one.unit().equals(unit)))
              .findFirst()
              .orElseThrow(
                  () ->
                      new ProblemException(
                          ProblemType.INVALID_BODY, "chosen: knows no unit " + unit));
      if (!quantities.add(quantity)) {
        throw new ProblemException(
            ProblemType.INVALID_BODY, "chosen: has two units of the same quantity: " + unit);
      }
    }
  }
}
