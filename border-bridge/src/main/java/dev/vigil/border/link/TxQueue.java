package dev.vigil.border.link;

import dev.vigil.border.ieee802154.LinkAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The transmit queue of one radio, fair among neighbours. At most one frame of each neighbour is in
 * flight, which keeps its frames in order; neighbours take turns, so that a silent neighbour delays
 * no other. A broadcast is sent alone: a unicast frame overtaken by it would look replayed to its
 * receiver, whose frame counters only increase.
 */
final class TxQueue {
  /** Packets that may wait. */
  static final int MAX_WAITING = 64;

  /** Packets that may wait for one neighbour. */
  static final int MAX_PER_NEIGHBOUR = 32;

  /** Frames in flight: as many as a slip-radio keeps track of. */
  static final int MAX_IN_FLIGHT = 16;

  /**
   * The frames of one packet that were not yet passed to the radio.
   *
   * @param wholeSequence whether the packet carries a whole sequence number, from which its
   *     receiver can restore later ones
   */
  record Packet(LinkAddress to, Deque<byte[]> payloads, boolean wholeSequence) {}

  private final Map<LinkAddress, Deque<Packet>> waiting = new LinkedHashMap<>();
  private final Set<LinkAddress> inFlight = new HashSet<>();
  private int size;

  /** Queues a packet, given as the payloads of its frames; false if the queue is full. */
  boolean add(LinkAddress to, List<byte[]> payloads, boolean wholeSequence) {
    Deque<Packet> sameNeighbour = waiting.get(to);
    if (size >= MAX_WAITING
        || (sameNeighbour != null && sameNeighbour.size() >= MAX_PER_NEIGHBOUR)) {
      return false;
    }
    waiting
        .computeIfAbsent(to, neighbour -> new ArrayDeque<>())
        .addLast(new Packet(to, new ArrayDeque<>(payloads), wholeSequence));
    size++;
    return true;
  }

  /**
   * The packet whose next frame is to be sent now, if any. The caller must then call {@link #done}.
   */
  @Nullable Packet next() {
    if (inFlight.size() >= MAX_IN_FLIGHT || inFlight.contains(LinkAddress.BROADCAST)) {
      return null;
    }
    if (waiting.containsKey(LinkAddress.BROADCAST)) {
      return inFlight.isEmpty() ? take(LinkAddress.BROADCAST) : null;
    }
    for (LinkAddress to : waiting.keySet()) {
      if (!inFlight.contains(to)) {
        return take(to);
      }
    }
    return null;
  }

  private @Nullable Packet take(LinkAddress to) {
    Deque<Packet> packets = waiting.remove(to);
    if (packets == null) {
      return null;
    }
    // Moves the neighbour to the end of the map, so that the other neighbours are served first next
    // time.
    waiting.put(to, packets);
    inFlight.add(to);
    return packets.peekFirst();
  }

  /**
   * Records the outcome of a frame in flight.
   *
   * @param ok false drops the whole packet, because its other fragments would only waste airtime
   */
  void done(Packet packet, boolean ok) {
    inFlight.remove(packet.to());
    Deque<Packet> packets = waiting.get(packet.to());
    boolean finished = !ok || packet.payloads().isEmpty();
    if (finished && packets != null && packets.peekFirst() == packet) {
      packets.removeFirst();
      size--;
      if (packets.isEmpty()) {
        waiting.remove(packet.to());
      }
    }
  }

  /** The number of packets that are queued or being sent. */
  int size() {
    return size;
  }

  /** Drops all packets; frames in flight are still reported. */
  void clear() {
    waiting.clear();
    size = 0;
  }
}
