package dev.vigil.gateway.labels;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.EntityTags;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.ItemOutcome;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.api.UnknownIds;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.Presence;
import dev.vigil.store.NameGrammar;
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
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lets operators name endpoints and say where they are. */
@RestController
class LabelsController {
  private static final int MAX_NAME = 100;
  private static final int MAX_LOCATION = 200;

  private final LabelledEndpoints labels;
  private final MirrorQueries mirror;
  private final Access access;

  LabelsController(LabelledEndpoints labels, MirrorQueries mirror, Access access) {
    this.labels = labels;
    this.mirror = mirror;
    this.access = access;
  }

  @Operation(
      operationId = "getEndpointLabel",
      summary = "The name and location that operators gave an endpoint, with their ETag")
  @GetMapping("/api/endpoints/{id}/label")
  ResponseEntity<LabelJson> label(HttpServletRequest request, @PathVariable String id) {
    Presence endpoint = require(HttpCallers.of(request), Action.LOOK_UP, id);
    return answer(labels.get(endpoint.id()).orElseThrow(LabelsController::none));
  }

  private static ResponseEntity<LabelJson> answer(Versioned<EndpointLabel> label) {
    return ResponseEntity.ok()
        .eTag(EntityTags.of(label.version()))
        .body(LabelJson.of(label.value()));
  }

  private static ProblemException none() {
    return new ProblemException(ProblemType.NOT_FOUND, "the endpoint has no label");
  }

  @Operation(
      operationId = "setEndpointLabel",
      summary = "Gives an endpoint a name and a location for people",
      description =
          "The parameter text of /api/endpoints finds both. Both are forgotten with the"
              + " endpoint. With If-Match they change only if nobody else has changed them.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = LabelJson.class))))
  @PutMapping(path = "/api/endpoints/{id}/label", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<LabelJson> put(
      HttpServletRequest request,
      @PathVariable String id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch)
      throws IOException {
    Caller caller = HttpCallers.of(request);
    Presence endpoint = require(caller, Action.OPERATE, id);
    LabelJson body = JsonBodies.read(request, LabelJson.class);
    Long present = labels.get(endpoint.id()).map(Versioned::version).orElse(null);
    put(caller, endpoint, body, EntityTags.condition(present, ifMatch, ifNoneMatch));
    return answer(labels.get(endpoint.id()).orElseThrow(LabelsController::none));
  }

  private void put(Caller caller, Presence endpoint, LabelJson body, OptionalLong version) {
    EndpointLabel label =
        new EndpointLabel(
            endpoint.d(),
            endpoint.ep(),
            text("name", body.name(), MAX_NAME),
            text("location", body.location(), MAX_LOCATION));
    if (label.name() == null && label.location() == null) {
      throw new ProblemException(
          ProblemType.INVALID_BODY, "name: or location is needed; DELETE removes both");
    }
    FutureResults.of(labels.put(endpoint.id(), label, version, caller.label())).require("label");
  }

  /**
   * @param id of the endpoint
   * @param name absent: it has none
   * @param location absent: it has none
   */
  @Schema(name = "LabelOfEndpoint")
  record ItemJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String id,
      @Nullable String name,
      @Nullable String location) {}

  /**
   * @param labels at most 100
   */
  @Schema(name = "LabelsBody")
  record BodyJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable List<ItemJson> labels) {}

  @Operation(
      operationId = "setLabelledEndpoints",
      summary = "Gives many endpoints names and locations; one outcome for each",
      description = "Each item replaces the label of its endpoint; one without both removes it.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = BodyJson.class))))
  @PostMapping(path = "/api/endpoints/labels", consumes = MediaType.APPLICATION_JSON_VALUE)
  ItemOutcome.OutcomesJson putMany(HttpServletRequest request) throws IOException {
    Caller caller = HttpCallers.of(request);
    VisibleDomains.of(access, caller, Action.OPERATE, mirror.domains().keySet(), null);
    List<ItemJson> items =
        JsonBodies.items(JsonBodies.read(request, BodyJson.class).labels(), "labels");
    return new ItemOutcome.OutcomesJson(
        items.stream()
            .map(item -> ItemOutcome.of(item.id(), null, () -> put(caller, item)))
            .toList());
  }

  private void put(Caller caller, ItemJson item) {
    Presence endpoint = require(caller, Action.OPERATE, JsonBodies.required(item.id(), "id"));
    if (item.name() == null && item.location() == null) {
      labels
          .get(endpoint.id())
          .ifPresent(
              label ->
                  FutureResults.of(labels.remove(label, OptionalLong.empty(), caller.label()))
                      .require("label"));
    } else {
      LabelJson body = new LabelJson(item.name(), item.location());
      put(caller, endpoint, body, OptionalLong.empty());
    }
  }

  @Operation(
      operationId = "removeEndpointLabel",
      summary = "Removes the name and the location of an endpoint")
  @DeleteMapping("/api/endpoints/{id}/label")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(
      HttpServletRequest request,
      @PathVariable String id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Caller caller = HttpCallers.of(request);
    Presence endpoint = require(caller, Action.OPERATE, id);
    Versioned<EndpointLabel> label = labels.get(endpoint.id()).orElseThrow(LabelsController::none);
    FutureResults.of(labels.remove(label, EntityTags.ifMatch(ifMatch), caller.label()))
        .require("label");
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

  private static @Nullable String text(String member, @Nullable String given, int max) {
    if (given == null || given.isBlank()) {
      return null;
    }
    if (given.length() > max) {
      throw new ProblemException(
          ProblemType.INVALID_BODY, member + ": has more than " + max + " characters");
    }
    if (NameGrammar.invisible(given).isPresent()) {
      throw new ProblemException(
          ProblemType.INVALID_BODY, member + ": holds a character that is not shown");
    }
    return given.strip();
  }
}
