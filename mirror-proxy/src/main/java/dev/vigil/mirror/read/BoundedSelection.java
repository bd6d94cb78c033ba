package dev.vigil.mirror.read;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Selects the first elements, in a given order, of any number of offered elements; holds no others.
 */
final class BoundedSelection<T> {
  private final Comparator<T> order;
  private final int limit;

  /** Its head is the last of the selected elements. */
  private final PriorityQueue<T> selected;

  /**
   * @param limit number of elements to select, at least 1
   */
  BoundedSelection(Comparator<T> order, int limit) {
    this.order = order;
    this.limit = limit;
    this.selected = new PriorityQueue<>(order.reversed());
  }

  void offer(T element) {
    selected.add(element);
    if (selected.size() > limit) {
      selected.poll();
    }
  }

  List<T> inOrder() {
    return selected.stream().sorted(order).toList();
  }
}
