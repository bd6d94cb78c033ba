package dev.vigil.gateway.month;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.PriorityQueue;

/** Planned happenings in the order of their moments; at one moment, in the order of planning. */
final class Agenda {
  private final VirtualTime time;
  private final PriorityQueue<Planned> planned = new PriorityQueue<>();
  private long order;

  @FunctionalInterface
  interface Happening {
    void happen() throws IOException, InterruptedException;
  }

  private record Planned(long at, long order, Happening what) implements Comparable<Planned> {
    @Override
    public int compareTo(Planned other) {
      int first = Long.compare(at, other.at);
      return first != 0 ? first : Long.compare(order, other.order);
    }
  }

  Agenda(VirtualTime time) {
    this.time = time;
  }

  /**
   * @param at microseconds; the past means now
   */
  void plan(long at, Happening what) {
    planned.add(new Planned(Math.max(at, time.micros()), order++, what));
  }

  void planIn(Duration pause, Happening what) {
    plan(time.micros() + Month.micros(pause), what);
  }

  /** Takes the next happening whose moment has come; empty if there is none. */
  Optional<Happening> takeDue() {
    Planned next = planned.peek();
    if (next == null || next.at > time.micros()) {
      return Optional.empty();
    }
    planned.remove();
    return Optional.of(next.what);
  }

  /** The moment of the next happening, at most {@code end}. */
  long nextUntil(long end) {
    Planned next = planned.peek();
    return next == null ? end : Math.min(end, next.at);
  }
}
