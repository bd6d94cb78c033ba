package dev.vigil.gateway.network;

import dev.vigil.border.rpl.RplNode;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.EndpointView;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the radio network as it is now. */
@Component
class NetworkViews {
  private final BridgeLifecycle network;
  private final MirrorQueries mirror;

  NetworkViews(BridgeLifecycle network, MirrorQueries mirror) {
    this.network = network;
    this.mirror = mirror;
  }

  /** Empty without a radio. */
  Optional<NetworkView> present() {
    return network
        .bridge()
        .flatMap(
            bridge ->
                network
                    .config()
                    .map(
                        config -> {
                          Map<Long, String> endpoints = endpointsByInterface();
                          return NetworkView.of(bridge, config, node -> endpoint(node, endpoints));
                        }));
  }

  /** A node's name is that of the endpoint that was heard from its address. */
  private @Nullable EndpointView endpoint(RplNode node, Map<Long, String> endpoints) {
    String id = endpoints.get(node.address().low());
    return id == null ? null : mirror.endpoint(id).orElse(null);
  }

  /** Ids of the endpoints in the mesh by the interface identifiers of their addresses. */
  Map<Long, String> endpointsByInterface() {
    Map<Long, String> endpoints = new HashMap<>();
    mirror
        .addresses()
        .forEach(
            (id, address) -> {
              if (network.isOfMesh(InetAddress.ofLiteral(address.literal()))) {
                endpoints.put(address.low(), id);
              }
            });
    return endpoints;
  }
}
