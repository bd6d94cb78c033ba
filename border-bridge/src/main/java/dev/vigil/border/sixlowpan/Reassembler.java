package dev.vigil.border.sixlowpan;

import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.ReassemblyBuffer;
import dev.vigil.border.wire.WireException;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reassembles fragments that arrive in any order (RFC 4944, section 5.3). Incomplete packets are
 * limited in total number, per neighbour, in size and in time. At a limit the oldest incomplete
 * packet is discarded, so that packets that are never completed do not block others. A repeated
 * fragment is ignored. A fragment that overlaps others without repeating them ends its packet.
 */
final class Reassembler {
  private final Limits limits;

  /** Incomplete packets in the order of their first fragments, and therefore of their deadlines. */
  private final Map<Key, Partial> partials = new LinkedHashMap<>();

  private final Map<Drop, Integer> discarded = new EnumMap<>(Drop.class);

  /**
   * @param packets limit of incomplete packets
   * @param perNeighbour limit of incomplete packets of one neighbour
   * @param size longest packet, in octets
   * @param millis longest time from the first fragment to the last
   */
  record Limits(int packets, int perNeighbour, int size, long millis) {
    static final Limits DEFAULT = new Limits(64, 4, 1280, 5000);
  }

  private record Key(LinkAddress sender, LinkAddress destination, int size, int tag) {}

  private static final class Partial {
    final ReassemblyBuffer buffer;

    /** The sender of the first frame, because a mesh header's originator is not authenticated. */
    final LinkAddress neighbour;

    final long deadline;
    @Nullable Decompressed first;

    Partial(int size, LinkAddress neighbour, long deadline) {
      this.buffer = new ReassemblyBuffer(size);
      this.neighbour = neighbour;
      this.deadline = deadline;
    }
  }

  Reassembler(Limits limits) {
    this.limits = limits;
  }

  /** Refuses an invalid size, before anything is decompressed or stored. */
  void checkSize(FragmentHeader header) throws WireException {
    if (header.size() > limits.size() || header.size() == 0) {
      throw new WireException(Drop.FRAGMENT_SIZE);
    }
  }

  /**
   * Takes the content of a fragment.
   *
   * @param part its octets; decompressed for the first fragment
   * @param neighbour the sender of the frame
   * @param sender the originator in the mesh header, otherwise the neighbour
   * @return the packet, if this was the last missing fragment
   */
  Optional<Datagram> accept(
      FragmentHeader header,
      Decompressed part,
      LinkAddress neighbour,
      LinkAddress sender,
      LinkAddress destination,
      long nowMillis)
      throws WireException {
    expire(nowMillis);
    byte[] octets = part.octets();
    boolean last = header.offset() + octets.length == header.size();
    if (octets.length == 0 || !last && octets.length % FragmentHeader.UNIT != 0) {
      throw new WireException(Drop.FRAGMENT_OFFSET);
    }
    Key key = new Key(sender, destination, header.size(), header.tag());
    Partial partial = partials.get(key);
    if (partial == null) {
      partial = new Partial(key.size(), neighbour, nowMillis + limits.millis());
    }
    switch (partial.buffer.place(header.offset(), octets)) {
      case NEW -> keep(key, partial);
      case DUPLICATE -> {
        return Optional.empty();
      }
      case OVERLAP -> {
        partials.remove(key);
        throw new WireException(Drop.FRAGMENT_OVERLAP);
      }
      case OUTSIDE -> throw new WireException(Drop.FRAGMENT_OFFSET);
    }
    if (header.offset() == 0) {
      partial.first = part;
    }
    Decompressed first = partial.first;
    if (first == null || !partial.buffer.isComplete()) {
      return Optional.empty();
    }
    partials.remove(key);
    return Optional.of(first.datagram(partial.buffer.toBytes(), sender));
  }

  /** Discards packets whose time has expired. */
  void expire(long nowMillis) {
    Iterator<Partial> oldest = partials.values().iterator();
    while (oldest.hasNext() && oldest.next().deadline <= nowMillis) {
      discard(oldest, Drop.FRAGMENT_TIMEOUT);
    }
  }

  /** The number of packets discarded since the last call, by reason. */
  Map<Drop, Integer> takeDiscarded() {
    Map<Drop, Integer> taken = Map.copyOf(discarded);
    discarded.clear();
    return taken;
  }

  /** The number of incomplete packets. */
  int incomplete() {
    return partials.size();
  }

  private void keep(Key key, Partial partial) {
    if (partials.containsKey(key)) {
      return;
    }
    Predicate<Partial> ofNeighbour = other -> other.neighbour.equals(partial.neighbour);
    if (partials.values().stream().filter(ofNeighbour).count() >= limits.perNeighbour()) {
      discardOldest(ofNeighbour, Drop.FRAGMENT_SENDER_LIMIT);
    } else if (partials.size() >= limits.packets()) {
      discardOldest(any -> true, Drop.FRAGMENT_TABLE_FULL);
    }
    partials.put(key, partial);
  }

  private void discardOldest(Predicate<Partial> which, Drop reason) {
    Iterator<Partial> oldest = partials.values().iterator();
    while (!which.test(oldest.next())) {
      // The caller has checked that there is a packet.
    }
    discard(oldest, reason);
  }

  private void discard(Iterator<?> current, Drop reason) {
    current.remove();
    discarded.merge(reason, 1, Integer::sum);
  }
}
