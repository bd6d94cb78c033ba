package dev.vigil.border.ether;

import dev.vigil.border.ether.Topology.Edge;
import dev.vigil.border.ether.Topology.Member;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * The shared air, as a pure state machine over time: frames go in, deliveries come out when their
 * airtime has passed. The same code plays in real time (the ether's thread passes the clock) and in
 * virtual time (a test or an evaluation passes whatever time is next).
 *
 * <p>A frame occupies its sender and everyone who hears the sender for its airtime: 6 octets of
 * preamble, delimiter and length, the frame and its FCS, 32 microseconds each (IEEE 802.15.4-2020,
 * 12.1.2: 250 kbit/s). A frame that finds its neighbourhood busy waits, acknowledgements ahead of
 * others: the medium stands in for every node's CSMA, and collisions do not happen.
 */
final class Medium {
  /** Preamble, start of frame delimiter and PHY header before the frame, FCS behind it. */
  static final int FRAMING_OCTETS = 8;

  private static final int MAX_WAITING_PER_NODE = 16;

  /**
   * A frame that reached a node.
   *
   * @param at nanoseconds
   */
  record Delivery(int from, int to, Airframe frame, Edge edge, long at) {}

  /**
   * What is on the air.
   *
   * @param psdu MAC frame without FCS
   * @param acknowledgement goes ahead of waiting frames
   */
  record Airframe(byte[] psdu, int channel, boolean acknowledgement) {}

  private record Waiting(int from, Airframe frame, long since) {}

  private record OnAir(int from, Airframe frame, List<Heard> hearers, long end) {}

  private record Heard(int node, Edge edge) {}

  private final Topology topology;
  private final RandomGenerator random;
  private final long octetNanos;
  private final Map<Integer, Member> members = new HashMap<>();
  private final Map<Integer, Long> busyUntil = new HashMap<>();
  private final Map<Integer, Integer> waitingOf = new HashMap<>();
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final PriorityQueue<OnAir> onAir =
      new PriorityQueue<>(Comparator.comparingLong(OnAir::end));
  private final PriorityQueue<Delivery> deliveries =
      new PriorityQueue<>(Comparator.comparingLong(Delivery::at));

  /**
   * Makes an empty medium.
   *
   * @param octetNanos nanoseconds an octet occupies the air: 32000, or 0 for no airtime at all
   */
  Medium(Topology topology, RandomGenerator random, long octetNanos) {
    this.topology = topology;
    this.random = random;
    this.octetNanos = octetNanos;
  }

  /** A node appears, or its EUI-64 becomes known. */
  void join(Member member) {
    members.put(member.index(), member);
  }

  /** A node is gone; what it had on the air still arrives. */
  void leave(int node) {
    members.remove(node);
    busyUntil.remove(node);
  }

  /**
   * A node wants to send.
   *
   * @return false if too many of its frames wait already: the frame is lost
   */
  boolean transmit(int from, Airframe frame, long now) {
    advance(now);
    if (waitingOf.getOrDefault(from, 0) >= MAX_WAITING_PER_NODE) {
      return false;
    }
    waitingOf.merge(from, 1, Integer::sum);
    Waiting entry = new Waiting(from, frame, now);
    if (frame.acknowledgement()) {
      waiting.addFirst(entry);
    } else {
      waiting.addLast(entry);
    }
    startWaiting(now);
    return true;
  }

  /** What has arrived by {@code now}, in the order of arrival. */
  List<Delivery> due(long now) {
    advance(now);
    List<Delivery> arrived = new ArrayList<>();
    for (Delivery next = deliveries.peek();
        next != null && next.at() <= now;
        next = deliveries.peek()) {
      deliveries.remove(next);
      arrived.add(next);
    }
    return arrived;
  }

  /** When something happens next, in nanoseconds; {@link Long#MAX_VALUE} for never. */
  long nextEvent() {
    OnAir ending = onAir.peek();
    Delivery arriving = deliveries.peek();
    return Math.min(
        ending == null ? Long.MAX_VALUE : ending.end(),
        arriving == null ? Long.MAX_VALUE : arriving.at());
  }

  /** Lets transmissions end and waiting ones start at the very moment the air was free. */
  private void advance(long now) {
    for (OnAir ended = onAir.peek(); ended != null && ended.end() <= now; ended = onAir.peek()) {
      onAir.remove(ended);
      for (Heard heard : ended.hearers()) {
        if (random.nextDouble() >= heard.edge().loss()) {
          long at = ended.end() + heard.edge().delayNanos();
          deliveries.add(new Delivery(ended.from(), heard.node(), ended.frame(), heard.edge(), at));
        }
      }
      startWaiting(ended.end());
    }
  }

  private void startWaiting(long now) {
    for (Iterator<Waiting> it = waiting.iterator(); it.hasNext(); ) {
      Waiting next = it.next();
      if (!members.containsKey(next.from())) {
        it.remove();
        forgetOne(next.from());
      } else if (tryStart(next, Math.max(now, next.since()))) {
        it.remove();
        forgetOne(next.from());
      }
    }
  }

  private boolean tryStart(Waiting next, long now) {
    List<Heard> hearers = hearersOf(next.from());
    boolean busy = isBusy(next.from(), now);
    for (Heard heard : hearers) {
      busy |= isBusy(heard.node(), now);
    }
    if (busy) {
      return false;
    }
    long end = now + (FRAMING_OCTETS + next.frame().psdu().length) * octetNanos;
    busyUntil.put(next.from(), end);
    hearers.forEach(heard -> busyUntil.put(heard.node(), end));
    onAir.add(new OnAir(next.from(), next.frame(), hearers, end));
    return true;
  }

  private boolean isBusy(int node, long now) {
    return busyUntil.getOrDefault(node, Long.MIN_VALUE) > now;
  }

  private void forgetOne(int node) {
    waitingOf.computeIfPresent(node, (key, count) -> count == 1 ? null : count - 1);
  }

  private List<Heard> hearersOf(int from) {
    Member sender = members.get(from);
    List<Heard> hearers = new ArrayList<>();
    if (sender != null) {
      for (Member member : members.values()) {
        Optional<Edge> edge = topology.edge(sender, member);
        edge.ifPresent(value -> hearers.add(new Heard(member.index(), value)));
      }
    }
    return hearers;
  }
}
