package dev.vigil.gateway.network;

import dev.vigil.border.associations.AssociationStatus;
import dev.vigil.gateway.associations.AssociationLoader;
import dev.vigil.gateway.associations.AssociationsController.AssociationJson;
import dev.vigil.gateway.network.NetworkView.CaptureView;
import dev.vigil.gateway.network.NetworkView.LinkView;
import dev.vigil.gateway.network.NetworkView.NeighbourView;
import dev.vigil.gateway.network.NetworkView.NodeView;
import dev.vigil.gateway.network.NetworkView.RadioStatusView;
import dev.vigil.gateway.network.SampledThing.Key;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Divides the network into things that have their own events. Not safe for several threads. */
final class NetworkSampler {
  private static final String NETWORK = "network";
  private static final String ASSOCIATIONS = "associations";

  /** Events after which clients read everything again. */
  static final Set<String> LISTS = Set.of(NETWORK, ASSOCIATIONS);

  /** Everybody who may look up the domain without a name sees the network. */
  private static final String READERS = "";

  /** Ages are rounded to whole seconds: smaller differences mean nothing. */
  private static final long SAME_SECONDS = 2;

  /** The time at which each node was last heard, in unix seconds, by its address. */
  private Map<String, Long> heard = Map.of();

  /** Data of "network": clients read {@code /api/network} again. */
  record NetworkChangedJson(@Nullable Integer dodagVersion) {}

  /** Data of "network-figures". */
  record NetworkFiguresJson(
      long routes, LinkView others, Map<String, Long> drops, CaptureView capture) {}

  /** Data of "node-gone". */
  record NodeGoneJson(String address) {}

  /** Data of "neighbour-gone". */
  record NeighbourGoneJson(String eui64) {}

  /** Data of "associations": clients read {@code /api/security-associations} again. */
  record AssociationsChangedJson(Instant loadedAt, @Nullable String problem) {}

  /**
   * @param nowMillis unix time
   */
  List<SampledThing> network(NetworkView view, long nowMillis) {
    List<SampledThing> things = new ArrayList<>();
    NetworkChangedJson changed = new NetworkChangedJson(view.dodagVersion());
    things.add(thing(NETWORK, "", changed, changed, changed, null));
    NetworkFiguresJson figures =
        new NetworkFiguresJson(view.routes(), view.others(), view.drops(), view.capture());
    things.add(thing("network-figures", "", "", figures, figures, null));
    view.radios().forEach(radio -> things.add(radio(radio)));
    view.neighbours().forEach(neighbour -> things.add(neighbour(neighbour)));
    Map<String, Long> heardNow = new HashMap<>();
    for (NodeView node : view.nodes()) {
      long at = heardAt(node, nowMillis);
      heardNow.put(node.address(), at);
      things.add(node(node, at));
    }
    heard = heardNow;
    return things;
  }

  private static SampledThing thing(
      String event, String id, Object state, Object figures, Object data, @Nullable Object gone) {
    return new SampledThing(new Key(event, id), READERS, state, figures, data, gone);
  }

  private static SampledThing radio(RadioStatusView radio) {
    List<@Nullable Object> state = Arrays.asList(radio.up(), radio.eui64());
    return thing("radio", radio.name(), state, radio, radio, null);
  }

  private static SampledThing neighbour(NeighbourView neighbour) {
    List<Object> state = List.of(neighbour.radio(), neighbour.level());
    NeighbourGoneJson gone = new NeighbourGoneJson(neighbour.eui64());
    return thing("neighbour", neighbour.eui64(), state, neighbour, neighbour, gone);
  }

  private static SampledThing node(NodeView node, long heardAt) {
    List<@Nullable Object> state =
        Arrays.asList(node.parent(), node.rank(), node.hops(), node.endpoint());
    return thing("node", node.address(), state, heardAt, node, new NodeGoneJson(node.address()));
  }

  private long heardAt(NodeView node, long nowMillis) {
    Long silent = node.secondsSilent();
    if (silent == null) {
      return 0;
    }
    long at = nowMillis / 1000 - silent;
    long before = heard.getOrDefault(node.address(), at);
    return Math.abs(at - before) <= SAME_SECONDS ? before : at;
  }

  /** Operators see associations. */
  static List<SampledThing> associations(
      AssociationLoader.Loaded loaded, List<AssociationStatus> statuses) {
    List<SampledThing> things = new ArrayList<>();
    AssociationsChangedJson changed = new AssociationsChangedJson(loaded.at(), loaded.problem());
    things.add(new SampledThing(new Key(ASSOCIATIONS, ""), null, changed, changed, changed, null));
    for (AssociationStatus status : statuses) {
      AssociationJson one = AssociationJson.of(status);
      Key key = new Key("association", Integer.toString(one.line()));
      List<Object> state = List.of(one.spi(), one.direction(), one.state());
      things.add(new SampledThing(key, null, state, one, one, null));
    }
    return things;
  }
}
