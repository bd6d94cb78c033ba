package dev.vigil.border.ether;

import dev.vigil.border.ether.Topology.Edge;
import dev.vigil.border.ether.Topology.Node;
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
 * The shared radio medium, as a pure state machine over time: frames go in, deliveries come out
 * when their airtime has passed. The same code runs in real time (the ether's thread passes the
 * clock) and in virtual time (a test or an evaluation passes the next event's time).
 *
 * <p>A frame occupies its sender and all nodes that hear the sender for its airtime: 6 octets of
 * preamble, delimiter and length, the frame and its FCS, 32 microseconds each (250 kbit/s;
 * 802.15.4-2020, section 12.1.2). A frame waits while its neighbourhood is busy; acknowledgements
 * are sent first. The medium replaces the nodes' CSMA, and there are no collisions.
 */
final class Medium {
  /** Preamble, start of frame delimiter and PHY header before the frame, FCS after it. */
  static final int FRAMING_OCTETS = 8;

  private static final int MAX_PENDING_PER_NODE = 16;

  /**
   * A frame that reached a node.
   *
   * @param at nanoseconds
   */
  record Delivery(int from, int to, AirFrame frame, Edge edge, long at) {}

  /**
   * A frame to transmit.
   *
   * @param psdu MAC frame without FCS
   * @param acknowledgement whether the frame is sent before waiting frames
   */
  record AirFrame(byte[] psdu, int channel, boolean acknowledgement) {}

  private record PendingFrame(int from, AirFrame frame, long since) {}

  private record Transmission(int from, AirFrame frame, List<Receiver> receivers, long end) {}

  private record Receiver(int node, Edge edge) {}

  private final Topology topology;
  private final RandomGenerator random;
  private final long octetNanos;
  private final Map<Integer, Node> members = new HashMap<>();
  private final Map<Integer, Long> busyUntil = new HashMap<>();
  private final Map<Integer, Integer> pendingOf = new HashMap<>();
  private final Deque<PendingFrame> pending = new ArrayDeque<>();
  private final PriorityQueue<Transmission> transmissions =
      new PriorityQueue<>(Comparator.comparingLong(Transmission::end));
  private final PriorityQueue<Delivery> deliveries =
      new PriorityQueue<>(Comparator.comparingLong(Delivery::at));

  /**
   * Makes an empty medium.
   *
   * @param octetNanos airtime of an octet in nanoseconds: 32000, or 0 for no airtime at all
   */
  Medium(Topology topology, RandomGenerator random, long octetNanos) {
    this.topology = topology;
    this.random = random;
    this.octetNanos = octetNanos;
  }

  /** Adds a node, or updates its EUI-64. */
  void join(Node member) {
    members.put(member.index(), member);
  }

  /** Removes a node; its frames on the air still arrive. */
  void leave(int node) {
    members.remove(node);
    busyUntil.remove(node);
  }

  /**
   * Transmits a frame as soon as the medium is free.
   *
   * @return false if too many frames of the node are already queued; the frame is lost then
   */
  boolean transmit(int from, AirFrame frame, long now) {
    advance(now);
    if (pendingOf.getOrDefault(from, 0) >= MAX_PENDING_PER_NODE) {
      return false;
    }
    pendingOf.merge(from, 1, Integer::sum);
    PendingFrame entry = new PendingFrame(from, frame, now);
    if (frame.acknowledgement()) {
      pending.addFirst(entry);
    } else {
      pending.addLast(entry);
    }
    startPending(now);
    return true;
  }

  /** The deliveries until {@code now}, in the order of arrival. */
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

  /** The time of the next event, in nanoseconds; {@link Long#MAX_VALUE} for never. */
  long nextEvent() {
    Transmission ending = transmissions.peek();
    Delivery arriving = deliveries.peek();
    return Math.min(
        ending == null ? Long.MAX_VALUE : ending.end(),
        arriving == null ? Long.MAX_VALUE : arriving.at());
  }

  /**
   * Ends transmissions, and starts waiting transmissions at the exact time when the medium became
   * free.
   */
  private void advance(long now) {
    for (Transmission ended = transmissions.peek();
        ended != null && ended.end() <= now;
        ended = transmissions.peek()) {
      transmissions.remove(ended);
      for (Receiver receiver : ended.receivers()) {
        if (random.nextDouble() >= receiver.edge().loss()) {
          long at = ended.end() + receiver.edge().delayNanos();
          deliveries.add(
              new Delivery(ended.from(), receiver.node(), ended.frame(), receiver.edge(), at));
        }
      }
      startPending(ended.end());
    }
  }

  private void startPending(long now) {
    for (Iterator<PendingFrame> it = pending.iterator(); it.hasNext(); ) {
      PendingFrame next = it.next();
      if (!members.containsKey(next.from())) {
        it.remove();
        decrementPending(next.from());
      } else if (tryStart(next, Math.max(now, next.since()))) {
        it.remove();
        decrementPending(next.from());
      }
    }
  }

  private boolean tryStart(PendingFrame next, long now) {
    List<Receiver> receivers = receiversOf(next.from());
    boolean busy = isBusy(next.from(), now);
    for (Receiver receiver : receivers) {
      busy |= isBusy(receiver.node(), now);
    }
    if (busy) {
      return false;
    }
    long end = now + (FRAMING_OCTETS + next.frame().psdu().length) * octetNanos;
    busyUntil.put(next.from(), end);
    receivers.forEach(receiver -> busyUntil.put(receiver.node(), end));
    transmissions.add(new Transmission(next.from(), next.frame(), receivers, end));
    return true;
  }

  private boolean isBusy(int node, long now) {
    return busyUntil.getOrDefault(node, Long.MIN_VALUE) > now;
  }

  private void decrementPending(int node) {
    pendingOf.computeIfPresent(node, (key, count) -> count == 1 ? null : count - 1);
  }

  private List<Receiver> receiversOf(int from) {
    Node sender = members.get(from);
    List<Receiver> receivers = new ArrayList<>();
    if (sender != null) {
      for (Node member : members.values()) {
        Optional<Edge> edge = topology.edge(sender, member);
        edge.ifPresent(value -> receivers.add(new Receiver(member.index(), value)));
      }
    }
    return receivers;
  }
}
