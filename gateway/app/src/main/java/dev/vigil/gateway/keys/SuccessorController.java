package dev.vigil.gateway.keys;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.api.UnknownIds;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.MirrorOperations;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.KeyView;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * The replacement of a mote by another one: the successor's key takes over the endpoint with its
 * name and history when it registers. Each step is a decision in the audit trail.
 */
@RestController
class SuccessorController {
  private final MirrorQueries mirror;
  private final MirrorOperations operations;
  private final Access access;

  SuccessorController(MirrorQueries mirror, MirrorOperations operations, Access access) {
    this.mirror = mirror;
    this.operations = operations;
    this.access = access;
  }

  /**
   * @param thumbprint of the successor's key
   * @param state expected: it has not registered yet; in-place: it has the endpoint
   */
  record SuccessorJson(
      String thumbprint, @Schema(allowableValues = {"expected", "in-place"}) String state) {}

  /**
   * @param thumbprint of the successor's key, as on the mote's label
   */
  record SuccessorBodyJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String thumbprint) {}

  @Operation(
      operationId = "getSuccessor",
      summary = "The key of the mote that is to replace an endpoint's mote",
      description = "404 if none is expected.")
  @GetMapping("/api/endpoints/{id}/successor")
  SuccessorJson successor(HttpServletRequest request, @PathVariable String id) {
    EndpointView endpoint = require(HttpCallers.of(request), Action.LOOK_UP, id);
    return expected(endpoint).stream()
        .findFirst()
        .map(key -> new SuccessorJson(key.jkt(), "expected"))
        .orElseThrow(SuccessorController::none);
  }

  /** The keys that were approved for the name and have not registered since. */
  private List<KeyView> expected(EndpointView endpoint) {
    return mirror.keysOf(endpoint.id()).stream().filter(key -> key.state() == null).toList();
  }

  private static ProblemException none() {
    return new ProblemException(ProblemType.NOT_FOUND, "no successor is expected");
  }

  private EndpointView require(Caller caller, Action action, String id) {
    // The mote of a withdrawn endpoint, which has no presence, can be replaced too.
    EndpointView endpoint = mirror.endpoint(id).orElse(null);
    if (endpoint == null || endpoint.state() == TrustState.UNPROVEN) {
      throw UnknownIds.answer(
          access, caller, action, mirror.domains().keySet(), "no proven endpoint has this id");
    }
    access.require(caller, action, endpoint.d());
    return endpoint;
  }

  @Operation(
      operationId = "putSuccessor",
      summary = "Names the key of the mote that replaces an endpoint's mote",
      description =
          "When a mote with this key registers the endpoint's name, its key replaces the present"
              + " key, which is refused from then on. The endpoint keeps its history, label,"
              + " tags, calibrations and id. A key that is"
              + " held for the name takes over at once. The successor replaces any other"
              + " expected successor. Until the successor registers, DELETE undoes this.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = SuccessorBodyJson.class))))
  @PutMapping(path = "/api/endpoints/{id}/successor", consumes = MediaType.APPLICATION_JSON_VALUE)
  SuccessorJson put(HttpServletRequest request, @PathVariable String id) throws IOException {
    Caller caller = HttpCallers.of(request);
    require(caller, Action.OPERATE, id);
    String thumbprint =
        JsonBodies.required(
            JsonBodies.read(request, SuccessorBodyJson.class).thumbprint(), "thumbprint");
    // The endpoint may have been forgotten while the body was arriving.
    EndpointView endpoint = require(caller, Action.OPERATE, id);
    if (isPresent(endpoint, thumbprint)) {
      throw new ProblemException(
          ProblemType.CONFLICT,
          "the endpoint has this key already: name the key of the other mote");
    }
    FutureResults.done(
        operations.approve(thumbprint, endpoint.id(), List.of(endpoint.d()), caller.label()));
    for (KeyView other : expected(endpoint)) {
      if (!other.jkt().equals(thumbprint)) {
        FutureResults.done(operations.refuse(endpoint.id(), other.jkt(), caller.label()));
      }
    }
    String state = isPresent(endpoint, thumbprint) ? "in-place" : "expected";
    return new SuccessorJson(thumbprint, state);
  }

  private boolean isPresent(EndpointView endpoint, String thumbprint) {
    return mirror.endpoint(endpoint.id()).filter(view -> view.jkt().equals(thumbprint)).isPresent();
  }

  @Operation(
      operationId = "removeSuccessor",
      summary = "Withdraws the expected successor; the endpoint keeps its key",
      description = "404 if no successor is expected, for instance because it has registered.")
  @DeleteMapping("/api/endpoints/{id}/successor")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(HttpServletRequest request, @PathVariable String id) {
    Caller caller = HttpCallers.of(request);
    EndpointView endpoint = require(caller, Action.OPERATE, id);
    List<KeyView> expected = expected(endpoint);
    if (expected.isEmpty()) {
      throw none();
    }
    expected.forEach(
        key -> FutureResults.done(operations.refuse(endpoint.id(), key.jkt(), caller.label())));
  }
}
