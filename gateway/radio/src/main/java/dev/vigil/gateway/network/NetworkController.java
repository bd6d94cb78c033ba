package dev.vigil.gateway.network;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Access.Allowed;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.gateway.callers.HttpCallers;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the radio network. */
@RestController
class NetworkController {
  private final NetworkViews network;
  private final Access access;

  NetworkController(NetworkViews network, Access access) {
    this.network = network;
    this.access = access;
  }

  @Operation(
      operationId = "getNetwork",
      summary = "The radio: neighbours, routes and dropped frames; 404 without a radio")
  @GetMapping("/api/network")
  NetworkView network(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.LOOK_UP, "");
    return network
        .present()
        .orElseThrow(BridgeLifecycle::noRadio)
        .within(d -> d != null && access.decide(caller, Action.LOOK_UP, d) instanceof Allowed);
  }
}
