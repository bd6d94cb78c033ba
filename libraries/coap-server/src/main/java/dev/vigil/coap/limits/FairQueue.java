package dev.vigil.coap.limits;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue that serves sources in turn, in the order of arrival for each of them. When it is
 * full, the last item of the greediest source is dropped, or the newcomer if no source has more
 * items than its own. Turns and drops nest as in {@link FairPool}: first between /48 networks, then
 * between /64 networks, then between addresses. A source that floods the queue therefore delays and
 * loses its own items only.
 *
 * <p>Taking an item costs a few map operations; an item offered to a full queue costs a look at
 * each active network. All methods are safe for use by any number of threads.
 *
 * @param <T> an item
 */
public final class FairQueue<T> {
  /** A network with networks below it in the order of their turns, or an address with its items. */
  private static final class Node<T> {
    final Map<SourcePrefix, Node<T>> children = new LinkedHashMap<>();
    final ArrayDeque<T> items = new ArrayDeque<>(1);

    /** Items here and below. */
    int count;
  }

  private final int capacity;
  private final Node<T> root = new Node<>();

  /**
   * @param capacity in items
   */
  public FairQueue(int capacity) {
    this.capacity = capacity;
  }

  /**
   * Adds an item behind those of the same source.
   *
   * @return the item that is lost because the queue is full: another one or this one; else null
   */
  public synchronized @Nullable T offer(Source source, T item) {
    T lost = null;
    if (root.count >= capacity) {
      lost = makeRoom(root, source.prefixes());
      if (lost == null) {
        return item;
      }
    }
    Node<T> node = root;
    node.count++;
    for (SourcePrefix prefix : source.prefixes()) {
      node = node.children.computeIfAbsent(prefix, key -> new Node<>());
      node.count++;
    }
    node.items.addLast(item);
    return lost;
  }

  /** Takes the first item of the source whose turn it is; null when the queue is empty. */
  public synchronized @Nullable T poll() {
    return root.count == 0 ? null : takeFirst(root);
  }

  /** The number of items. */
  public synchronized int size() {
    return root.count;
  }

  private T takeFirst(Node<T> node) {
    node.count--;
    if (node.children.isEmpty()) {
      return node.items.removeFirst();
    }
    Map.Entry<SourcePrefix, Node<T>> turn = node.children.entrySet().iterator().next();
    SourcePrefix prefix = turn.getKey();
    Node<T> child = turn.getValue();
    T item = takeFirst(child);
    node.children.remove(prefix);
    if (child.count > 0) {
      node.children.put(prefix, child);
    }
    return item;
  }

  /**
   * Removes the last item of a source that has more than the newcomer would have.
   *
   * @param newcomer its prefixes below the node
   * @return null if there is no such source
   */
  private @Nullable T makeRoom(Node<T> node, List<SourcePrefix> newcomer) {
    if (newcomer.isEmpty()) {
      return null;
    }
    Node<T> own = node.children.get(newcomer.getFirst());
    Map.Entry<SourcePrefix, Node<T>> greediest = greediest(node);
    int mine = own == null ? 0 : own.count;
    T removed = null;
    if (greediest.getValue() != own && greediest.getValue().count > mine + 1) {
      removed = removeLast(node, greediest);
    } else if (own != null) {
      removed = makeRoom(own, newcomer.subList(1, newcomer.size()));
    }
    if (removed != null) {
      node.count--;
    }
    return removed;
  }

  private T removeLast(Node<T> parent, Map.Entry<SourcePrefix, Node<T>> child) {
    Node<T> node = child.getValue();
    T removed =
        node.children.isEmpty() ? node.items.removeLast() : removeLast(node, greediest(node));
    node.count--;
    if (node.count == 0) {
      parent.children.remove(child.getKey());
    }
    return removed;
  }

  private Map.Entry<SourcePrefix, Node<T>> greediest(Node<T> node) {
    Map.Entry<SourcePrefix, Node<T>> most = null;
    for (Map.Entry<SourcePrefix, Node<T>> child : node.children.entrySet()) {
      if (most == null || child.getValue().count > most.getValue().count) {
        most = child;
      }
    }
    if (most == null) {
      throw new IllegalStateException("a network without items stays in the queue");
    }
    return most;
  }
}
