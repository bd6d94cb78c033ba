package dev.vigil.border.rpl;

import dev.vigil.border.ipv6.Ipv6Address;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The routing table of a non-storing root (RFC 6550, section 9.7): each node's parent, from its
 * DAO, until the route's lifetime is over. The table is bounded and accepts no new nodes when it is
 * full.
 */
final class Routes {
  /** A path longer than this is a loop. */
  static final int MAX_HOPS = 32;

  private static final class Entry {
    @Nullable Ipv6Address parent;
    long expires;
    int rank = RplNode.UNKNOWN;
    long heard = RplNode.UNKNOWN;
  }

  private final Set<Ipv6Address> roots = new HashSet<>();
  private final int maxNodes;
  private final Map<Ipv6Address, Entry> nodes = new LinkedHashMap<>();

  Routes(Ipv6Address root, int maxNodes) {
    roots.add(root);
    this.maxNodes = maxNodes;
  }

  void addRoot(Ipv6Address address) {
    roots.add(address);
  }

  /** Sets a node's parent; false if the table is full. */
  boolean put(Ipv6Address node, Ipv6Address parent, long expires) {
    Entry entry = entry(node);
    if (entry == null) {
      return false;
    }
    entry.parent = parent;
    entry.expires = expires;
    return true;
  }

  /** Removes the route to a node and the routes through it. */
  void withdraw(Ipv6Address node) {
    Entry entry = nodes.get(node);
    if (entry != null) {
      entry.parent = null;
    }
  }

  /** Records the time of a node's packet; unknown nodes are ignored. */
  void heard(Ipv6Address node, long now) {
    Entry entry = nodes.get(node);
    if (entry != null) {
      entry.heard = now;
    }
  }

  /** Sets the rank that a neighbour of the root announced; {@link RplNode#UNKNOWN} for none. */
  void rank(Ipv6Address node, int rank) {
    Entry entry = entry(node);
    if (entry != null) {
      entry.rank = rank;
    }
  }

  void clear() {
    nodes.clear();
  }

  private @Nullable Entry entry(Ipv6Address node) {
    Entry entry = nodes.get(node);
    if (entry == null) {
      nodes.values().removeIf(old -> nodes.size() >= maxNodes && old.parent == null);
      if (nodes.size() >= maxNodes) {
        return null;
      }
      entry = new Entry();
      nodes.put(node, entry);
    }
    return entry;
  }

  /** Removes expired routes. */
  void expire(long now) {
    for (Entry entry : nodes.values()) {
      if (entry.parent != null && entry.expires <= now) {
        entry.parent = null;
      }
    }
  }

  /** The time at which the next route expires; {@link Long#MAX_VALUE} for never. */
  long nextExpiry() {
    return nodes.values().stream()
        .filter(entry -> entry.parent != null)
        .mapToLong(entry -> entry.expires)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** The nodes on the path, the first hop first, the target last. */
  Optional<List<Ipv6Address>> path(Ipv6Address target) {
    List<Ipv6Address> path = new ArrayList<>();
    Ipv6Address node = target;
    while (!roots.contains(node)) {
      Entry entry = nodes.get(node);
      if (entry == null || entry.parent == null || path.size() >= MAX_HOPS) {
        return Optional.empty();
      }
      path.addFirst(node);
      node = entry.parent;
    }
    return path.isEmpty() ? Optional.empty() : Optional.of(path);
  }

  List<RplNode> snapshot(long now) {
    Map<Ipv6Address, Integer> hops = new HashMap<>();
    nodes.keySet().forEach(node -> path(node).ifPresent(path -> hops.put(node, path.size())));
    return nodes.entrySet().stream()
        .map(
            e -> {
              Entry entry = e.getValue();
              long left = entry.parent == null ? -1 : Math.max(0, entry.expires - now) / 1000;
              int distance = hops.getOrDefault(e.getKey(), RplNode.UNKNOWN);
              long silent = entry.heard < 0 ? RplNode.UNKNOWN : (now - entry.heard) / 1000;
              return new RplNode(e.getKey(), entry.parent, entry.rank, distance, left, silent);
            })
        .toList();
  }
}
