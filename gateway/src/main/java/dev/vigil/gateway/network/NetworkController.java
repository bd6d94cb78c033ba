package dev.vigil.gateway.network;

import dev.vigil.border.Bridge;
import dev.vigil.border.BridgeConfig;
import dev.vigil.border.Neighbour;
import dev.vigil.border.rpl.RplNode;
import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.gateway.http.HttpCallers;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What an operator sees of the radio. */
@RestController
class NetworkController {
  private final Network network;
  private final Access access;

  NetworkController(Network network, Access access) {
    this.network = network;
    this.access = access;
  }

  /**
   * @param nodes of the RPL DODAG
   * @param drops frames and packets dropped since the start, by reason
   */
  record NetworkView(
      RadioView radio,
      List<NeighbourView> neighbours,
      List<NodeView> nodes,
      Map<String, Long> drops) {}

  /**
   * @param zepPort UDP port of the virtual radio; absent when there is none
   */
  record RadioView(
      String panId, int channel, String prefix, String eui64, @Nullable Integer zepPort) {}

  /**
   * @param lqi 0 to 255; absent when the radio does not say
   * @param frames received from it
   * @param transmissions that the sent and failed frames took
   */
  record NeighbourView(
      String eui64,
      String address,
      String radio,
      Instant heardAt,
      @Nullable Integer lqi,
      long frames,
      long sent,
      long failed,
      long transmissions) {}

  /** What is absent the root does not know. */
  record NodeView(
      String address,
      @Nullable String parent,
      @Nullable Integer rank,
      @Nullable Integer hops,
      @Nullable Long secondsLeft) {}

  @Operation(summary = "The radio: who it hears, the routes, what was dropped; 404 without radio")
  @GetMapping("/api/network")
  NetworkView network(HttpServletRequest request) {
    access.require(HttpCallers.of(request), Access.Action.LOOK_UP, "");
    Bridge bridge = network.bridge().orElseThrow(NetworkController::noRadio);
    BridgeConfig config = network.config().orElseThrow(NetworkController::noRadio);
    return new NetworkView(
        new RadioView(
            "0x%04x".formatted(config.panId()),
            config.channel(),
            config.prefix() + "/64",
            config.eui64().toString(),
            bridge.etherPort().isPresent() ? bridge.etherPort().getAsInt() : null),
        bridge.neighbours().stream().map(NetworkController::view).toList(),
        bridge.topology().stream().map(NetworkController::view).toList(),
        bridge.drops());
  }

  private static NeighbourView view(Neighbour n) {
    return new NeighbourView(
        n.eui64().toString(),
        n.linkLocal().toString(),
        n.radio(),
        n.lastSeen(),
        n.lqi() < 0 ? null : n.lqi(),
        n.received(),
        n.sent(),
        n.failed(),
        n.transmissions());
  }

  private static NodeView view(RplNode n) {
    return new NodeView(
        n.address().toString(),
        n.parent() == null ? null : n.parent().toString(),
        n.rank() < 0 ? null : n.rank(),
        n.hops() < 0 ? null : n.hops(),
        n.secondsLeft() < 0 ? null : n.secondsLeft());
  }

  private static ExchangeException noRadio() {
    return new ExchangeException(Code.NOT_FOUND, "this gateway has no radio");
  }
}
