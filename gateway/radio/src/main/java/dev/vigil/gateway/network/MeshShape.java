package dev.vigil.gateway.network;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.link.Neighbour;
import dev.vigil.border.link.RadioStatus;
import dev.vigil.border.rpl.RplNode;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The shape of the mesh, without addresses, radio settings and counters. */
@Component
public class MeshShape {
  private final BridgeLifecycle network;
  private final NetworkViews views;
  private final Clock clock;

  MeshShape(BridgeLifecycle network, NetworkViews views, Clock clock) {
    this.network = network;
    this.views = views;
    this.clock = clock;
  }

  /**
   * Null members are unknown.
   *
   * @param parent position in the list of the next node towards the gateway
   * @param endpoint id of the endpoint whose last message came from the node
   * @param hops from the gateway, which has 0
   * @param silentSeconds since the node was heard
   * @param etx expected transmissions per frame on the link to the gateway
   */
  public record Node(
      @Nullable Integer parent,
      @Nullable String endpoint,
      @Nullable Integer hops,
      @Nullable Long silentSeconds,
      @Nullable Double etx) {}

  /** The nodes, the gateway first; empty without a radio. */
  public Optional<List<Node>> nodes() {
    return network
        .bridge()
        .flatMap(
            bridge ->
                network
                    .config()
                    .map(
                        config ->
                            nodes(
                                own(config.mesh().eui64(), bridge.radios()),
                                bridge.neighbours(),
                                bridge.topology(),
                                views.endpointsByInterface(),
                                clock.instant())));
  }

  /** The gateway's interface identifiers. A slip-radio has an EUI-64 of its own. */
  static Set<Long> own(Eui64 configured, List<RadioStatus> radios) {
    Set<Long> own = new HashSet<>(Set.of(configured.interfaceId()));
    for (RadioStatus radio : radios) {
      Eui64 reported = radio.eui64();
      if (reported != null) {
        own.add(reported.interfaceId());
      }
    }
    return own;
  }

  static List<Node> nodes(
      Set<Long> own,
      List<Neighbour> heard,
      List<RplNode> topology,
      Map<Long, String> endpoints,
      Instant now) {
    Map<Long, Neighbour> neighbours = new HashMap<>();
    heard.forEach(one -> neighbours.put(one.eui64().interfaceId(), one));
    neighbours.keySet().removeAll(own);
    List<RplNode> routed =
        topology.stream().filter(node -> !own.contains(node.address().low())).toList();
    Map<Long, Integer> places = new HashMap<>();
    own.forEach(id -> places.put(id, 0));
    for (int i = 0; i < routed.size(); i++) {
      places.putIfAbsent(routed.get(i).address().low(), i + 1);
    }
    List<Node> nodes = new ArrayList<>();
    nodes.add(new Node(null, null, 0, null, null));
    for (RplNode node : routed) {
      long id = node.address().low();
      Neighbour near = neighbours.remove(id);
      Ipv6Address parent = node.hops() < 0 ? null : node.parent();
      nodes.add(
          new Node(
              parent == null ? heardDirectly(near) : places.get(parent.low()),
              endpoints.get(id),
              parent == null ? null : Integer.valueOf(node.hops()),
              silence(node, near, now),
              near == null ? null : etx(near)));
    }
    neighbours.forEach(
        (id, near) ->
            nodes.add(new Node(0, endpoints.get(id), null, silence(near, now), etx(near))));
    return nodes;
  }

  /** The place of the gateway if it hears a node. */
  private static @Nullable Integer heardDirectly(@Nullable Neighbour near) {
    return near == null ? null : Integer.valueOf(0);
  }

  private static @Nullable Long silence(RplNode node, @Nullable Neighbour near, Instant now) {
    Long routed = node.secondsSilent() < 0 ? null : Long.valueOf(node.secondsSilent());
    if (near == null) {
      return routed;
    }
    return Long.valueOf(routed == null ? silence(near, now) : Math.min(routed, silence(near, now)));
  }

  private static long silence(Neighbour near, Instant now) {
    return Math.max(0, Duration.between(near.lastSeen(), now).toSeconds());
  }

  private static @Nullable Double etx(Neighbour near) {
    double etx = near.statistics().etx();
    return etx == 0 ? null : Double.valueOf(etx);
  }
}
