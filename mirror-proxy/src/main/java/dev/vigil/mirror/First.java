package dev.vigil.mirror;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The first of what passes by, in an order; of all that there are, only these are held. */
final class First<T> {
  private final Comparator<T> order;
  private final int most;

  /** The last in order on top. */
  private final PriorityQueue<T> first;

  /**
   * @param most how many are wanted, at least 1
   */
  First(Comparator<T> order, int most) {
    this.order = order;
    this.most = most;
    this.first = new PriorityQueue<>(order.reversed());
  }

  void offer(T one) {
    first.add(one);
    if (first.size() > most) {
      first.poll();
    }
  }

  List<T> inOrder() {
    return first.stream().sorted(order).toList();
  }
}
