package dev.vigil.gateway.network;

import dev.vigil.border.bridge.Bridge;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.link.Neighbour;
import dev.vigil.border.rpl.RplNode;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
                network.config().map(config -> nodes(bridge, config.mesh().eui64().interfaceId())));
  }

  private List<Node> nodes(Bridge bridge, long root) {
    Map<Long, Neighbour> neighbours = new HashMap<>();
    bridge.neighbours().forEach(one -> neighbours.put(one.eui64().interfaceId(), one));
    List<RplNode> routed =
        bridge.topology().stream().filter(node -> node.address().low() != root).toList();
    Map<Long, Integer> places = new HashMap<>(Map.of(root, 0));
    routed.forEach(node -> places.putIfAbsent(node.address().low(), places.size()));
    Map<Long, String> endpoints = views.endpointsByInterface();
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
              silence(node, near),
              near == null ? null : etx(near)));
    }
    neighbours.remove(root);
    neighbours.forEach(
        (id, near) -> nodes.add(new Node(0, endpoints.get(id), null, silence(near), etx(near))));
    return nodes;
  }

  /** The place of the gateway if it hears a node. */
  private static @Nullable Integer heardDirectly(@Nullable Neighbour near) {
    return near == null ? null : Integer.valueOf(0);
  }

  private @Nullable Long silence(RplNode node, @Nullable Neighbour near) {
    Long routed = node.secondsSilent() < 0 ? null : Long.valueOf(node.secondsSilent());
    if (near == null) {
      return routed;
    }
    return routed == null ? silence(near) : Long.valueOf(Math.min(routed, silence(near)));
  }

  private long silence(Neighbour near) {
    return Math.max(0, Duration.between(near.lastSeen(), clock.instant()).toSeconds());
  }

  private static @Nullable Double etx(Neighbour near) {
    double etx = near.statistics().etx();
    return etx == 0 ? null : Double.valueOf(etx);
  }
}
