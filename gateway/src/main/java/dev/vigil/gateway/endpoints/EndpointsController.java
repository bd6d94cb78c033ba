package dev.vigil.gateway.endpoints;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Access.Action;
import dev.vigil.directory.exchange.Access.Allowed;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.gateway.http.HttpCallers;
import dev.vigil.mirror.EndpointView;
import dev.vigil.mirror.MirrorProxy;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reads endpoints; each caller sees those of the domains that it may look up. */
@RestController
class EndpointsController {
  private final MirrorProxy mirror;
  private final Access access;

  EndpointsController(MirrorProxy mirror, Access access) {
    this.mirror = mirror;
    this.access = access;
  }

  record EndpointsJson(List<EndpointJson> endpoints) {}

  @Operation(summary = "All endpoints, or those of a name or a domain, in the order of their names")
  @GetMapping("/api/endpoints")
  EndpointsJson endpoints(
      HttpServletRequest request,
      @RequestParam @Nullable String ep,
      @RequestParam @Nullable String d) {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.LOOK_UP, d == null ? "" : d);
    return new EndpointsJson(
        mirror.endpoints().stream()
            .filter(view -> ep == null || ep.equals(view.ep()))
            .filter(view -> d == null || d.equals(view.d()))
            .filter(view -> access.decide(caller, Action.LOOK_UP, view.d()) instanceof Allowed)
            .map(EndpointJson::of)
            .toList());
  }

  @Operation(summary = "One endpoint, by the id of /ms/{id}")
  @GetMapping("/api/endpoints/{id}")
  EndpointJson endpoint(HttpServletRequest request, @PathVariable String id) {
    EndpointView view =
        mirror
            .endpoint(id)
            .orElseThrow(() -> new ExchangeException(Code.NOT_FOUND, "no endpoint has this id"));
    access.require(HttpCallers.of(request), Action.LOOK_UP, view.d());
    return EndpointJson.of(view);
  }
}
