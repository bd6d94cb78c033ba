package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.ItemOutcome;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.api.UnknownIds;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.mirror.MirrorOperations;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
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
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lets operators forget endpoints permanently. */
@RestController
class ForgetController {
  private final MirrorQueries mirror;
  private final MirrorOperations operations;
  private final Access access;

  ForgetController(MirrorQueries mirror, MirrorOperations operations, Access access) {
    this.mirror = mirror;
    this.operations = operations;
    this.access = access;
  }

  /**
   * @param ids of endpoints, at most 100
   */
  record ForgetBodyJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable List<String> ids) {}

  @Operation(
      operationId = "forgetEndpoint",
      summary = "Forgets an endpoint: its values, keys, commands, label and tags",
      description =
          "They cannot be restored. The audit trail stays. The last sequence number stays too,"
              + " so that no earlier message of the endpoint is accepted again. A mote that"
              + " still runs registers as a new endpoint.")
  @DeleteMapping("/api/endpoints/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void forget(HttpServletRequest request, @PathVariable String id) {
    Caller caller = HttpCallers.of(request);
    requireOperator(caller);
    forget(caller, id);
  }

  @Operation(
      operationId = "forgetEndpoints",
      summary = "Forgets many endpoints; one outcome for each",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = ForgetBodyJson.class))))
  @PostMapping(path = "/api/endpoints/forget", consumes = MediaType.APPLICATION_JSON_VALUE)
  ItemOutcome.OutcomesJson forgetMany(HttpServletRequest request) throws IOException {
    Caller caller = HttpCallers.of(request);
    requireOperator(caller);
    List<String> ids =
        JsonBodies.items(JsonBodies.read(request, ForgetBodyJson.class).ids(), "ids");
    return new ItemOutcome.OutcomesJson(
        ids.stream().map(id -> ItemOutcome.of(id, null, () -> forget(caller, id))).toList());
  }

  private void forget(Caller caller, String id) {
    // A withdrawn endpoint, which has no presence, can be forgotten too.
    EndpointView endpoint =
        mirror
            .endpoint(id)
            .filter(view -> view.state() != TrustState.UNPROVEN)
            .orElseThrow(
                () ->
                    UnknownIds.answer(
                        access,
                        caller,
                        Action.OPERATE,
                        mirror.domains().keySet(),
                        "no proven endpoint has this id"));
    access.require(caller, Action.OPERATE, endpoint.d());
    FutureResults.done(operations.forgetEndpoint(endpoint.id(), caller.label()));
  }

  /** Refuses callers without any rights before they learn which ids exist. */
  private void requireOperator(Caller caller) {
    VisibleDomains.of(access, caller, Action.OPERATE, mirror.domains().keySet(), null);
  }
}
