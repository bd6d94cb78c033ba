package dev.vigil.border.sixlowpan;

import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.wire.Assembly;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Puts fragments together, in whatever order they come (RFC 4944, section 5.3). What they can make
 * us hold is bounded in number, per sender, in size and in time; where there is no room the oldest
 * packet is given up, so that fragments that nobody completes do not keep others out. A repeated
 * fragment is ignored; one that overlaps others without repeating them ends its packet.
 */
final class Reassembler {
  private final Limits limits;

  /** In the order of their first fragments, hence of their deadlines. */
  private final Map<Key, Partial> partials = new LinkedHashMap<>();

  private final Map<Drop, Integer> givenUp = new EnumMap<>(Drop.class);

  /**
   * @param packets unfinished at a time
   * @param perSender unfinished at a time from one neighbour
   * @param size octets of a packet
   * @param millis from the first fragment to the last
   */
  record Limits(int packets, int perSender, int size, long millis) {
    static final Limits USUAL = new Limits(64, 4, 1280, 5000);
  }

  private record Key(LinkAddress sender, LinkAddress destination, int size, int tag) {}

  private static final class Partial {
    final Assembly assembly;

    /** Who sent the first frame of it; the originator of a mesh header is that one's word only. */
    final LinkAddress neighbour;

    final long deadline;
    @Nullable Decompressed first;

    Partial(int size, LinkAddress neighbour, long deadline) {
      this.assembly = new Assembly(size);
      this.neighbour = neighbour;
      this.deadline = deadline;
    }
  }

  Reassembler(Limits limits) {
    this.limits = limits;
  }

  /** Refuses a size nobody may send, before anything is decompressed or kept. */
  void checkSize(FragmentHeader header) throws WireException {
    if (header.size() > limits.size() || header.size() == 0) {
      throw new WireException(Drop.FRAGMENT_SIZE);
    }
  }

  /**
   * Takes a fragment's content.
   *
   * @param part its octets; of the first fragment as decompressed
   * @param neighbour who sent the frame, whoever it names as the packet's sender
   * @return the packet, if this was the last piece missing
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
    switch (partial.assembly.place(header.offset(), octets)) {
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
    if (first == null || !partial.assembly.isComplete()) {
      return Optional.empty();
    }
    partials.remove(key);
    byte[] whole = first.finish(partial.assembly.toBytes());
    return Optional.of(new Datagram(whole, sender, first.nhcInsideEsp()));
  }

  /** Forgets what is too old. */
  void expire(long nowMillis) {
    Iterator<Partial> oldest = partials.values().iterator();
    while (oldest.hasNext() && oldest.next().deadline <= nowMillis) {
      giveUp(oldest, Drop.FRAGMENT_TIMEOUT);
    }
  }

  /** How many packets were given up since this was last asked, and why. */
  Map<Drop, Integer> takeGivenUp() {
    Map<Drop, Integer> taken = Map.copyOf(givenUp);
    givenUp.clear();
    return taken;
  }

  /** How many packets are unfinished. */
  int unfinished() {
    return partials.size();
  }

  private void keep(Key key, Partial partial) {
    if (partials.containsKey(key)) {
      return;
    }
    Predicate<Partial> ofNeighbour = other -> other.neighbour.equals(partial.neighbour);
    if (partials.values().stream().filter(ofNeighbour).count() >= limits.perSender()) {
      giveUpOldest(ofNeighbour, Drop.FRAGMENT_SENDER_LIMIT);
    } else if (partials.size() >= limits.packets()) {
      giveUpOldest(any -> true, Drop.FRAGMENT_TABLE_FULL);
    }
    partials.put(key, partial);
  }

  private void giveUpOldest(Predicate<Partial> which, Drop reason) {
    Iterator<Partial> oldest = partials.values().iterator();
    while (!which.test(oldest.next())) {
      // The caller has counted that there is one.
    }
    giveUp(oldest, reason);
  }

  private void giveUp(Iterator<?> current, Drop reason) {
    current.remove();
    givenUp.merge(reason, 1, Integer::sum);
  }
}
