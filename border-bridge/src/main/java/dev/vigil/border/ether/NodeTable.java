package dev.vigil.border.ether;

import dev.vigil.border.ether.Topology.Node;
import dev.vigil.border.ieee802154.Eui64;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ether's nodes in other processes, identified by their UDP source. A node is added with its
 * first well-formed packet and removed after 60 seconds of silence. The table holds at most 256
 * nodes and refuses more.
 */
final class NodeTable {
  static final int MAX_NODES = 256;
  static final long SILENCE_NANOS = 60_000_000_000L;

  /** One remote node. Belongs to the ether's thread. */
  static final class RemoteNode {
    final int index;
    final SocketAddress address;
    @Nullable Eui64 eui64;
    long lastHeard;

    RemoteNode(int index, SocketAddress address) {
      this.index = index;
      this.address = address;
    }

    Node node() {
      return new Node(index, eui64);
    }
  }

  private final Map<SocketAddress, RemoteNode> byAddress = new HashMap<>();
  private final Map<Integer, RemoteNode> byIndex = new HashMap<>();

  /** The node of an address, which is added if it is new; null if the table is full. */
  @Nullable RemoteNode heard(SocketAddress address, long now) {
    RemoteNode node = byAddress.get(address);
    if (node == null) {
      if (byAddress.size() >= MAX_NODES) {
        return null;
      }
      node = new RemoteNode(lowestFreeIndex(), address);
      byAddress.put(address, node);
      byIndex.put(node.index, node);
    }
    node.lastHeard = now;
    return node;
  }

  @Nullable RemoteNode get(int index) {
    return byIndex.get(index);
  }

  /** Removes and returns the nodes that have been silent too long. */
  List<RemoteNode> forgetSilent(long now) {
    List<RemoteNode> gone = new ArrayList<>();
    for (Iterator<RemoteNode> it = byAddress.values().iterator(); it.hasNext(); ) {
      RemoteNode node = it.next();
      if (now - node.lastHeard >= SILENCE_NANOS) {
        it.remove();
        byIndex.remove(node.index);
        gone.add(node);
      }
    }
    return gone;
  }

  List<EtherNode> snapshot(long now) {
    return byAddress.values().stream()
        .map(
            node ->
                new EtherNode(
                    node.index,
                    node.eui64,
                    node.address,
                    Duration.ofNanos(Math.max(0, now - node.lastHeard))))
        .sorted((a, b) -> Integer.compare(a.index(), b.index()))
        .toList();
  }

  // Indexes are reused, so that a topology by index still fits after nodes restarted on new ports.
  private int lowestFreeIndex() {
    int index = 1;
    while (byIndex.containsKey(index)) {
      index++;
    }
    return index;
  }
}
