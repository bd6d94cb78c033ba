package dev.vigil.gateway.dashboards.contents;

import dev.vigil.gateway.dashboards.DashboardRights.View;
import dev.vigil.gateway.dashboards.contents.ContentJson.NodeJson;
import dev.vigil.gateway.dashboards.contents.ContentJson.Sight;
import dev.vigil.gateway.network.MeshShape;
import dev.vigil.mirror.MirrorQueries;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the picture of the mesh. A node is named only if the viewer may read its endpoint. */
@Component
class MeshReader {
  /** The mesh belongs to the domain without a name. */
  static final String DOMAIN = "";

  private final MeshShape mesh;
  private final MirrorQueries mirror;
  private final EndpointMembers members;

  MeshReader(MeshShape mesh, MirrorQueries mirror, EndpointMembers members) {
    this.mesh = mesh;
    this.mirror = mirror;
    this.members = members;
  }

  ContentJson read(String tile, View view) {
    if (!view.shows(DOMAIN)) {
      return ContentJson.of(tile, Sight.NO_RIGHT);
    }
    return mesh.nodes()
        .map(
            nodes ->
                ContentJson.shown(tile)
                    .withNodes(nodes.stream().map(node -> node(node, view)).toList()))
        .orElseGet(() -> ContentJson.of(tile, Sight.GONE));
  }

  private NodeJson node(MeshShape.Node node, View view) {
    return new NodeJson(
        node.parent(), name(node.endpoint(), view), node.hops(), node.silentSeconds(), node.etx());
  }

  private @Nullable String name(@Nullable String endpoint, View view) {
    return endpoint == null
        ? null
        : mirror
            .endpoint(endpoint)
            .filter(found -> view.shows(found.d()))
            .map(found -> members.name(found.id(), found.ep()))
            .orElse(null);
  }
}
