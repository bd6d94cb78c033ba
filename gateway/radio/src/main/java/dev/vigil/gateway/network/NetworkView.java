package dev.vigil.gateway.network;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vigil.border.bridge.Bridge;
import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.link.LinkStatistics;
import dev.vigil.border.link.Neighbour;
import dev.vigil.border.link.RadioStatus;
import dev.vigil.border.rpl.RplNode;
import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.mirror.read.EndpointView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The radio network at one moment.
 *
 * @param neighbours at most 256; {@code others} sums up the rest
 * @param dodagVersion absent when the gateway is not the root
 * @param routes number of reachable nodes
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
    CaptureView capture) {

  /**
   * @param zepPort UDP port of the virtual radio; absent for other radios
   */
  record RadioView(
      String panId, int channel, String prefix, String eui64, @Nullable Integer zepPort) {
    private static RadioView of(BridgeConfig config, Bridge bridge) {
      return new RadioView(
          "0x%04x".formatted(config.mesh().panId()),
          config.mesh().channel(),
          config.mesh().prefix() + "/64",
          config.mesh().eui64().toString(),
          bridge.etherPort().isPresent() ? bridge.etherPort().getAsInt() : null);
    }
  }

  /**
   * @param waiting packets in the transmit queue
   */
  record RadioStatusView(
      String name,
      boolean up,
      @Nullable String eui64,
      int waiting,
      @JsonUnwrapped LinkView figures) {
    private static RadioStatusView of(RadioStatus radio) {
      return new RadioStatusView(
          radio.name(),
          radio.up(),
          radio.eui64() == null ? null : radio.eui64().toString(),
          radio.waiting(),
          LinkView.of(radio.statistics()));
    }
  }

  /**
   * @param lqi link quality 0 to 255; absent when the radio does not measure it
   * @param level security level of the last frame
   */
  record NeighbourView(
      String eui64,
      String address,
      String radio,
      Instant heardAt,
      @Nullable Integer lqi,
      int level,
      @JsonUnwrapped LinkView figures) {
    private static NeighbourView of(Neighbour n) {
      return new NeighbourView(
          n.eui64().toString(),
          n.linkLocal().toString(),
          n.radio(),
          n.lastSeen(),
          n.lqi() < 0 ? null : n.lqi(),
          n.level().ordinal(),
          LinkView.of(n.statistics()));
    }
  }

  /**
   * @param frames frames received, of {@code octetsIn} octets
   * @param sent frames acknowledged or broadcast, of {@code octetsOut} octets
   * @param savedIn octets that compressed AH and ESP headers saved in received packets
   * @param savedOut the same in packets to be sent
   * @param failed frames given up
   * @param transmissions all transmissions of the sent and failed frames
   * @param retries transmissions beyond the first of each frame
   * @param etx expected transmissions per frame; absent before the first frame
   * @param dropped by reason
   */
  record LinkView(
      long frames,
      long octetsIn,
      long sent,
      long octetsOut,
      long savedIn,
      long savedOut,
      long failed,
      long transmissions,
      long retries,
      @Nullable Double etx,
      Map<String, Long> dropped) {
    private static LinkView of(LinkStatistics f) {
      return new LinkView(
          f.received(),
          f.octetsIn(),
          f.sent(),
          f.octetsOut(),
          f.savedIn(),
          f.savedOut(),
          f.failed(),
          f.transmissions(),
          f.retries(),
          f.etx() == 0 ? null : f.etx(),
          f.drops());
    }
  }

  /**
   * Absent fields are unknown to the root.
   *
   * @param ep name of the endpoint whose last message came from the node; also absent for readers
   *     who may not look up its domain
   * @param endpoint id of that endpoint
   * @param d its domain; not shown
   */
  record NodeView(
      String address,
      @Nullable String parent,
      @Nullable Integer rank,
      @Nullable Integer hops,
      @Nullable Long secondsLeft,
      @Nullable Long secondsSilent,
      @Nullable String ep,
      @Nullable String endpoint,
      @JsonIgnore @Nullable String d)
      implements FeatureEvent.Restricted {
    private static NodeView of(RplNode n, @Nullable EndpointView endpoint) {
      return new NodeView(
          n.address().toString(),
          n.parent() == null ? null : n.parent().toString(),
          n.rank() < 0 ? null : n.rank(),
          n.hops() < 0 ? null : n.hops(),
          n.secondsLeft() < 0 ? null : n.secondsLeft(),
          n.secondsSilent() < 0 ? null : n.secondsSilent(),
          endpoint == null ? null : endpoint.ep(),
          endpoint == null ? null : endpoint.id(),
          endpoint == null ? null : endpoint.d());
    }

    @Override
    public NodeView within(Predicate<@Nullable String> visible) {
      return d == null || visible.test(d)
          ? this
          : new NodeView(address, parent, rank, hops, secondsLeft, secondsSilent, null, null, null);
    }
  }

  /**
   * @param readers number of open live captures
   * @param lost packets lost because readers were too slow
   */
  record CaptureView(int readers, long lost) {}

  /** The network for a reader; nodes have no names of domains that the reader may not look up. */
  NetworkView within(Predicate<@Nullable String> visible) {
    return new NetworkView(
        radio,
        radios,
        neighbours,
        others,
        dodagVersion,
        routes,
        nodes.stream().map(node -> node.within(visible)).toList(),
        drops,
        capture);
  }

  /**
   * @param endpointOf the endpoint that was heard from a node's address; null when it is not known
   */
  static NetworkView of(
      Bridge bridge, BridgeConfig config, Function<RplNode, @Nullable EndpointView> endpointOf) {
    List<RplNode> topology = bridge.topology();
    return new NetworkView(
        RadioView.of(config, bridge),
        bridge.radios().stream().map(RadioStatusView::of).toList(),
        bridge.neighbours().stream().map(NeighbourView::of).toList(),
        LinkView.of(bridge.otherNeighbours()),
        bridge.dodagVersion().isPresent() ? bridge.dodagVersion().getAsInt() : null,
        topology.stream().filter(node -> node.hops() > 0).count(),
        topology.stream().map(node -> NodeView.of(node, endpointOf.apply(node))).toList(),
        bridge.drops(),
        new CaptureView(bridge.captures().readers(), bridge.captures().lost()));
  }
}
