package dev.vigil.coap.limits;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue that serves sources in turn and the items of each source in the order of arrival.
 * A full queue drops the last item of the greediest source, or the new item if no source has more
 * items than the newcomer's. Turns and drops nest as in {@link FairPool}: first between /48
 * networks, then between /64 networks, then between addresses. A source that floods the queue
 * therefore delays and loses only its own items.
 *
 * <p>Offering, taking and refusing an item each cost a few map operations. Only an item that
 * displaces another requires a search among the networks, and hardly more items are displaced than
 * taken. All methods are safe for use by any number of threads.
 *
 * @param <T> an item
 */
public final class FairQueue<T> {
  /** A network with networks below it in the order of their turns, or an address with its items. */
  private static final class Node<T> {
    final Map<SourcePrefix, Node<T>> children = new LinkedHashMap<>(4);
    final ArrayDeque<T> items = new ArrayDeque<>(1);

    /** Number of items at this node and below. */
    int count;

    /** The highest count of any child. */
    int most;

    /** The number of children with each count. */
    private int[] childrenWith = new int[4];

    /** Records that the count of a child changes by one. */
    void counted(int before, int after) {
      if (after >= childrenWith.length) {
        childrenWith = Arrays.copyOf(childrenWith, 2 * childrenWith.length);
      }
      childrenWith[before]--;
      childrenWith[after]++;
      if (after > most || childrenWith[most] == 0) {
        most = after;
      }
    }
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
   * Adds an item behind the other items of its source.
   *
   * @return the item dropped because the queue is full, which may be the offered one; else null
   */
  public synchronized @Nullable T offer(Source source, T item) {
    T lost = null;
    if (root.count >= capacity) {
      lost = makeRoom(root, source.prefixes());
      if (lost == null) {
        return item;
      }
      root.count--;
    }
    Node<T> node = root;
    root.count++;
    for (SourcePrefix prefix : source.prefixes()) {
      Node<T> child = node.children.computeIfAbsent(prefix, key -> new Node<>());
      node.counted(child.count, child.count + 1);
      child.count++;
      node = child;
    }
    node.items.addLast(item);
    return lost;
  }

  /** Takes the first item of the source whose turn it is; null if the queue is empty. */
  public synchronized @Nullable T poll() {
    if (root.count == 0) {
      return null;
    }
    root.count--;
    return takeFirst(root);
  }

  /** The number of items. */
  public synchronized int size() {
    return root.count;
  }

  private T takeFirst(Node<T> node) {
    if (node.children.isEmpty()) {
      return node.items.removeFirst();
    }
    Map.Entry<SourcePrefix, Node<T>> turn = node.children.entrySet().iterator().next();
    SourcePrefix prefix = turn.getKey();
    Node<T> child = turn.getValue();
    T item = takeFirst(child);
    node.children.remove(prefix);
    uncount(node, child);
    if (child.count > 0) {
      node.children.put(prefix, child);
    }
    return item;
  }

  /**
   * Removes the last item of a source that has more items than the newcomer would have.
   *
   * @param newcomer its prefixes below the node
   * @return null if there is no such source
   */
  private @Nullable T makeRoom(Node<T> node, List<SourcePrefix> newcomer) {
    if (newcomer.isEmpty()) {
      return null;
    }
    Node<T> own = node.children.get(newcomer.getFirst());
    if (node.most > (own == null ? 1 : own.count + 1)) {
      return removeLast(node);
    }
    if (own == null) {
      return null;
    }
    T removed = makeRoom(own, newcomer.subList(1, newcomer.size()));
    if (removed != null) {
      uncount(node, own);
    }
    return removed;
  }

  /** Removes the last item of the greediest source below a node. */
  private T removeLast(Node<T> node) {
    if (node.children.isEmpty()) {
      return node.items.removeLast();
    }
    Map.Entry<SourcePrefix, Node<T>> greediest = greediest(node);
    T removed = removeLast(greediest.getValue());
    uncount(node, greediest.getValue());
    if (greediest.getValue().count == 0) {
      node.children.remove(greediest.getKey());
    }
    return removed;
  }

  /** Records that an item of a child has left. */
  private static <T> void uncount(Node<T> node, Node<T> child) {
    node.counted(child.count, child.count - 1);
    child.count--;
  }

  private static <T> Map.Entry<SourcePrefix, Node<T>> greediest(Node<T> node) {
    for (Map.Entry<SourcePrefix, Node<T>> child : node.children.entrySet()) {
      if (child.getValue().count == node.most) {
        return child;
      }
    }
    throw new IllegalStateException("a network without items stays in the queue");
  }
}
