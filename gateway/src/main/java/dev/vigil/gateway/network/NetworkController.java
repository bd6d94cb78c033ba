package dev.vigil.gateway.network;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vigil.border.Bridge;
import dev.vigil.border.BridgeConfig;
import dev.vigil.border.LinkFigures;
import dev.vigil.border.Neighbour;
import dev.vigil.border.RadioStatus;
import dev.vigil.border.rpl.RplNode;
import dev.vigil.directory.exchange.Access;
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
   * @param radios each with what went through it
   * @param neighbours at most 256; {@code others} are those beyond
   * @param dodagVersion absent when the gateway is not the root
   * @param routes how many nodes can be reached
   * @param nodes of the RPL DODAG
   * @param drops frames and packets dropped since the start, by reason
   */
  record NetworkView(
      RadioView radio,
      List<RadioStatusView> radios,
      List<NeighbourView> neighbours,
      LinkView others,
      @Nullable Integer dodagVersion,
      long routes,
      List<NodeView> nodes,
      Map<String, Long> drops,
      CaptureView capture) {}

  /**
   * @param zepPort UDP port of the virtual radio; absent when there is none
   */
  record RadioView(
      String panId, int channel, String prefix, String eui64, @Nullable Integer zepPort) {}

  /**
   * @param waiting packets that wait to be sent
   */
  record RadioStatusView(
      String name,
      boolean up,
      @Nullable String eui64,
      int waiting,
      @JsonUnwrapped LinkView figures) {}

  /**
   * @param lqi 0 to 255; absent when the radio does not say
   * @param level security level of its last frame
   */
  record NeighbourView(
      String eui64,
      String address,
      String radio,
      Instant heardAt,
      @Nullable Integer lqi,
      int level,
      @JsonUnwrapped LinkView figures) {}

  /**
   * @param frames received, of {@code octetsIn} octets
   * @param sent frames acknowledged or sent to all, of {@code octetsOut} octets
   * @param failed frames given up
   * @param transmissions that the sent and failed frames took
   * @param retries of those, the ones beyond each frame's first
   * @param etx transmissions that a frame is expected to take; absent while none was sent
   * @param dropped by reason
   */
  record LinkView(
      long frames,
      long octetsIn,
      long sent,
      long octetsOut,
      long failed,
      long transmissions,
      long retries,
      @Nullable Double etx,
      Map<String, Long> dropped) {}

  /** What is absent the root does not know. */
  record NodeView(
      String address,
      @Nullable String parent,
      @Nullable Integer rank,
      @Nullable Integer hops,
      @Nullable Long secondsLeft,
      @Nullable Long secondsSilent) {}

  /**
   * @param readers of live captures now
   * @param lost packets that live readers were too slow for
   */
  record CaptureView(int readers, long lost) {}

  @Operation(summary = "The radio: who it hears, the routes, what was dropped; 404 without radio")
  @GetMapping("/api/network")
  NetworkView network(HttpServletRequest request) {
    access.require(HttpCallers.of(request), Access.Action.LOOK_UP, "");
    Bridge bridge = network.bridge().orElseThrow(Network::noRadio);
    BridgeConfig config = network.config().orElseThrow(Network::noRadio);
    return new NetworkView(
        new RadioView(
            "0x%04x".formatted(config.panId()),
            config.channel(),
            config.prefix() + "/64",
            config.eui64().toString(),
            bridge.etherPort().isPresent() ? bridge.etherPort().getAsInt() : null),
        bridge.radios().stream().map(NetworkController::view).toList(),
        bridge.neighbours().stream().map(NetworkController::view).toList(),
        view(bridge.otherNeighbours()),
        bridge.dodagVersion().isPresent() ? bridge.dodagVersion().getAsInt() : null,
        bridge.topology().stream().filter(node -> node.hops() > 0).count(),
        bridge.topology().stream().map(NetworkController::view).toList(),
        bridge.drops(),
        new CaptureView(bridge.captures().listeners(), bridge.captures().lost()));
  }

  private static RadioStatusView view(RadioStatus radio) {
    return new RadioStatusView(
        radio.name(),
        radio.up(),
        radio.eui64() == null ? null : radio.eui64().toString(),
        radio.waiting(),
        view(radio.figures()));
  }

  private static NeighbourView view(Neighbour n) {
    return new NeighbourView(
        n.eui64().toString(),
        n.linkLocal().toString(),
        n.radio(),
        n.lastSeen(),
        n.lqi() < 0 ? null : n.lqi(),
        n.level().ordinal(),
        view(n.figures()));
  }

  private static LinkView view(LinkFigures f) {
    return new LinkView(
        f.received(),
        f.octetsIn(),
        f.sent(),
        f.octetsOut(),
        f.failed(),
        f.transmissions(),
        f.retries(),
        f.etx() == 0 ? null : f.etx(),
        f.drops());
  }

  private static NodeView view(RplNode n) {
    return new NodeView(
        n.address().toString(),
        n.parent() == null ? null : n.parent().toString(),
        n.rank() < 0 ? null : n.rank(),
        n.hops() < 0 ? null : n.hops(),
        n.secondsLeft() < 0 ? null : n.secondsLeft(),
        n.secondsSilent() < 0 ? null : n.secondsSilent());
  }
}
