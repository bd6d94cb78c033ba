package dev.vigil.border.ether;

import dev.vigil.border.ether.Topology.Member;
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
 * The nodes of the ether that live in other processes: each is its UDP source, known from its first
 * well-formed packet, forgotten after 60 seconds of silence. At most 256; more are turned away.
 */
final class NodeTable {
  static final int MAX_NODES = 256;
  static final long SILENCE_NANOS = 60_000_000_000L;

  /** One remote node. Belongs to the ether's thread. */
  static final class Remote {
    final int index;
    final SocketAddress address;
    @Nullable Eui64 eui64;
    long lastHeard;

    Remote(int index, SocketAddress address) {
      this.index = index;
      this.address = address;
    }

    Member member() {
      return new Member(index, eui64);
    }
  }

  private final Map<SocketAddress, Remote> byAddress = new HashMap<>();
  private final Map<Integer, Remote> byIndex = new HashMap<>();

  /** The node behind an address, made if need be; null when the table is full. */
  @Nullable Remote heard(SocketAddress address, long now) {
    Remote node = byAddress.get(address);
    if (node == null) {
      if (byAddress.size() >= MAX_NODES) {
        return null;
      }
      node = new Remote(lowestFreeIndex(), address);
      byAddress.put(address, node);
      byIndex.put(node.index, node);
    }
    node.lastHeard = now;
    return node;
  }

  @Nullable Remote get(int index) {
    return byIndex.get(index);
  }

  /** Takes out the nodes that have been silent too long. */
  List<Remote> forgetSilent(long now) {
    List<Remote> gone = new ArrayList<>();
    for (Iterator<Remote> it = byAddress.values().iterator(); it.hasNext(); ) {
      Remote node = it.next();
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

  // A node that restarts on a new port takes the index its silent predecessor left, so indexes stay
  // small and a topology by index stays usable.
  private int lowestFreeIndex() {
    int index = 1;
    while (byIndex.containsKey(index)) {
      index++;
    }
    return index;
  }
}
