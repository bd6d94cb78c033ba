package dev.vigil.border;

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
 * What waits for one radio, and whose turn it is. Each neighbour has one frame at most in the
 * radio's hands, so that its frames keep their order, and the neighbours take turns, so that one
 * that does not answer holds up nobody else. A frame to all goes alone: what it overtook would look
 * replayed to its receiver, whose counters go up only.
 */
final class TxQueue {
  /** Packets that may wait. */
  static final int MAX_WAITING = 64;

  /** Packets that may wait for one neighbour. */
  static final int MAX_OF_ONE = 32;

  /** Frames in the radio's hands: what a slip-radio keeps track of. */
  static final int MAX_IN_FLIGHT = 16;

  /** The frames of one packet that were not handed to the radio yet. */
  record Packet(LinkAddress to, Deque<byte[]> payloads) {}

  private final Map<LinkAddress, Deque<Packet>> waiting = new LinkedHashMap<>();
  private final Set<LinkAddress> inFlight = new HashSet<>();
  private int size;

  /** Takes a packet, as the payloads of its frames; false if too many wait. */
  boolean add(LinkAddress to, List<byte[]> payloads) {
    Deque<Packet> own = waiting.get(to);
    if (size >= MAX_WAITING || (own != null && own.size() >= MAX_OF_ONE)) {
      return false;
    }
    waiting
        .computeIfAbsent(to, neighbour -> new ArrayDeque<>())
        .addLast(new Packet(to, new ArrayDeque<>(payloads)));
    size++;
    return true;
  }

  /** A packet whose next frame goes to the radio now; {@link #done} must follow. */
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
    Deque<Packet> own = waiting.remove(to);
    if (own == null) {
      return null;
    }
    // To the end: the others come first the next time.
    waiting.put(to, own);
    inFlight.add(to);
    return own.peekFirst();
  }

  /**
   * What became of a frame.
   *
   * @param ok false gives the packet up whole: its other fragments would only take airtime
   */
  void done(Packet packet, boolean ok) {
    inFlight.remove(packet.to());
    Deque<Packet> own = waiting.get(packet.to());
    boolean over = !ok || packet.payloads().isEmpty();
    if (over && own != null && own.peekFirst() == packet) {
      own.removeFirst();
      size--;
      if (own.isEmpty()) {
        waiting.remove(packet.to());
      }
    }
  }

  /** Packets that wait or are being sent. */
  int size() {
    return size;
  }

  /** Gives all packets up; frames in the radio's hands are still reported. */
  void clear() {
    waiting.clear();
    size = 0;
  }
}
