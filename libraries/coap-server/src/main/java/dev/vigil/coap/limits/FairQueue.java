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
  /** The fate of an offered item. */
  public enum Outcome {
    /** The queue has one item more. */
    ADDED,
    /** The item took the place of another one, which is lost. */
    DISPLACED_ANOTHER,
    /** The item is lost. */
    DROPPED
  }

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

  /** Adds an item behind those of the same source. */
  public synchronized Outcome offer(Source source, T item) {
    boolean full = root.count >= capacity;
    if (full && !makeRoom(root, source.prefixes())) {
      return Outcome.DROPPED;
    }
    Node<T> node = root;
    node.count++;
    for (SourcePrefix prefix : source.prefixes()) {
      node = node.children.computeIfAbsent(prefix, key -> new Node<>());
      node.count++;
    }
    node.items.addLast(item);
    return full ? Outcome.DISPLACED_ANOTHER : Outcome.ADDED;
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
   * Drops the last item of a source that has more than the newcomer would have.
   *
   * @param newcomer its prefixes below the node
   */
  private boolean makeRoom(Node<T> node, List<SourcePrefix> newcomer) {
    if (newcomer.isEmpty()) {
      return false;
    }
    Node<T> own = node.children.get(newcomer.getFirst());
    Map.Entry<SourcePrefix, Node<T>> greediest = greediest(node);
    int mine = own == null ? 0 : own.count;
    boolean made;
    if (greediest.getValue() != own && greediest.getValue().count > mine + 1) {
      removeLast(node, greediest);
      made = true;
    } else {
      made = own != null && makeRoom(own, newcomer.subList(1, newcomer.size()));
    }
    if (made) {
      node.count--;
    }
    return made;
  }

  private void removeLast(Node<T> parent, Map.Entry<SourcePrefix, Node<T>> child) {
    Node<T> node = child.getValue();
    if (node.children.isEmpty()) {
      node.items.removeLast();
    } else {
      removeLast(node, greediest(node));
    }
    node.count--;
    if (node.count == 0) {
      parent.children.remove(child.getKey());
    }
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
