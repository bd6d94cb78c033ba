package dev.vigil.gateway.network;

import dev.vigil.border.Bridge;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.wire.WireException;
import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Access.Action;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.gateway.http.Answers;
import dev.vigil.gateway.http.HttpCallers;
import dev.vigil.mirror.MirrorProxy;
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

/** What an operator may have the radio do. Each is in the audit trail with who asked for it. */
@RestController
class NetworkActions {
  private static final Logger log = LoggerFactory.getLogger(NetworkActions.class);

  private final Network network;
  private final MirrorProxy mirror;
  private final Access access;

  NetworkActions(Network network, MirrorProxy mirror, Access access) {
    this.network = network;
    this.mirror = mirror;
    this.access = access;
  }

  @Operation(
      summary = "Global repair: every mote joins a new version of the DODAG",
      description = "For routes that went wrong; the mesh is unreachable for some seconds.")
  @PostMapping("/api/network/repair")
  @ResponseStatus(HttpStatus.ACCEPTED)
  void repair(HttpServletRequest request) {
    bridge(request).globalRepair();
    note(request, "global repair of the network");
  }

  @Operation(summary = "Asks every mote to announce its route again")
  @PostMapping("/api/network/refresh")
  @ResponseStatus(HttpStatus.ACCEPTED)
  void refresh(HttpServletRequest request) {
    bridge(request).refreshRoutes();
    note(request, "refresh of all routes");
  }

  @Operation(
      summary = "Forgives a neighbour that restarted and counts its frames from zero again",
      description =
          "Its next frame sets the counter, whatever it is. Until then frames recorded from it"
              + " could be played to the gateway. 404 if no counter of it is known.")
  @PostMapping("/api/network/neighbours/{eui64}/forgive")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void forgive(HttpServletRequest request, @PathVariable String eui64) {
    Bridge bridge = bridge(request);
    Eui64 neighbour = digits(eui64);
    try {
      if (!bridge.forgive(neighbour).get()) {
        throw new ExchangeException(Code.NOT_FOUND, "no frame counter of this node is known");
      }
      note(request, "forgave neighbour " + neighbour);
    } catch (ExecutionException e) {
      log.error("the memory of frame counters failed", e);
      throw new ExchangeException(
          Code.SERVICE_UNAVAILABLE, "the memory of frame counters failed; it is as it was");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExchangeException(Code.SERVICE_UNAVAILABLE, "the gateway is stopping");
    }
  }

  private Bridge bridge(HttpServletRequest request) {
    access.require(HttpCallers.of(request), Action.ADMINISTER, "");
    return network.bridge().orElseThrow(Network::noRadio);
  }

  /** The answer waits for it: what the trail does not hold is not said to be done. */
  private void note(HttpServletRequest request, String what) {
    Caller caller = HttpCallers.of(request);
    log.warn("{}, asked for by {} from {}", what, caller.label(), caller.source());
    Answers.done(mirror.note(what, caller.label()));
  }

  private static Eui64 digits(String eui64) {
    try {
      return Eui64.parse(eui64);
    } catch (WireException e) {
      throw new ExchangeException(Code.BAD_REQUEST, "an EUI-64 has 16 hexadecimal digits");
    }
  }
}
