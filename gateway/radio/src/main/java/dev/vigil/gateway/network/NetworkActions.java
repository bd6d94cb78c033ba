package dev.vigil.gateway.network;

import dev.vigil.border.bridge.Bridge;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.wire.WireException;
import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.MirrorOperations;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Actions of operators on the radio network. Each is recorded in the audit trail. */
@RestController
class NetworkActions {
  private static final Logger log = LoggerFactory.getLogger(NetworkActions.class);

  private final BridgeLifecycle network;
  private final MirrorOperations mirror;
  private final Access access;

  NetworkActions(BridgeLifecycle network, MirrorOperations mirror, Access access) {
    this.network = network;
    this.mirror = mirror;
    this.access = access;
  }

  @Operation(
      operationId = "repairNetwork",
      summary = "Global repair: every mote joins a new version of the DODAG",
      description = "Repairs wrong routes; the mesh is unreachable for some seconds.")
  @PostMapping("/api/network/repair")
  @ResponseStatus(HttpStatus.ACCEPTED)
  void repair(HttpServletRequest request) {
    bridge(request).globalRepair();
    audit(request, "global repair of the network");
  }

  @Operation(
      operationId = "refreshNetwork",
      summary = "Asks every mote to announce its route again")
  @PostMapping("/api/network/refresh")
  @ResponseStatus(HttpStatus.ACCEPTED)
  void refresh(HttpServletRequest request) {
    bridge(request).refreshRoutes();
    audit(request, "refresh of all routes");
  }

  @Operation(
      operationId = "forgiveNeighbour",
      summary = "Forgives a neighbour that restarted and counts its frames from zero again",
      description =
          "The next frame from the neighbour sets the counter, whatever its value. Until then,"
              + " recorded frames of the neighbour could be replayed. 404 if no counter is known.")
  @PostMapping("/api/network/neighbours/{eui64}/forgive")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void forgive(HttpServletRequest request, @PathVariable String eui64) {
    Bridge bridge = bridge(request);
    Eui64 neighbour = parse(eui64);
    try {
      if (!bridge.forgive(neighbour).get()) {
        throw new ProblemException(
            ProblemType.NOT_FOUND, "no frame counter of this neighbour is known");
      }
      audit(request, "forgave neighbour " + neighbour);
    } catch (ExecutionException e) {
      log.error("cannot write the file of frame counters: {}", e.getMessage());
      throw new ProblemException(
          ProblemType.NOT_STORED,
          "the file of frame counters cannot be written; nothing was changed");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProblemException(ProblemType.STOPPING, "the gateway is stopping");
    }
  }

  private Bridge bridge(HttpServletRequest request) {
    access.require(HttpCallers.of(request), Action.OPERATE, Access.EVERY_DOMAIN);
    return network.bridge().orElseThrow(BridgeLifecycle::noRadio);
  }

  /** Waits for the entry in the audit trail, so that only recorded actions are confirmed. */
  private void audit(HttpServletRequest request, String action) {
    Caller caller = HttpCallers.of(request);
    log.warn("{}, requested by {} from {}", action, caller.label(), caller.source());
    FutureResults.done(mirror.recordAction(action, caller.label()));
  }

  private static Eui64 parse(String eui64) {
    try {
      return Eui64.parse(eui64);
    } catch (WireException e) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER, "an EUI-64 has 16 hexadecimal digits");
    }
  }
}
