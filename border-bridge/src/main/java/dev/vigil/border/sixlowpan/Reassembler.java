package dev.vigil.border.sixlowpan;

import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.wire.Assembly;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts fragments together, in whatever order they come (RFC 4944, section 5.3). What they can make
 * us hold is bounded in number, per sender, in size and in time. A repeated fragment is ignored;
 * one that overlaps others without repeating them ends its packet.
 */
final class Reassembler {
  private final Limits limits;

  /** In the order of their first fragments, hence of their deadlines. */
  private final Map<Key, Partial> partials = new LinkedHashMap<>();

  private int expired;

  /**
   * @param packets unfinished at a time
   * @param perSender unfinished at a time from one link address
   * @param size octets of a packet
   * @param millis from the first fragment to the last
   */
  record Limits(int packets, int perSender, int size, long millis) {
    static final Limits USUAL = new Limits(64, 4, 1280, 5000);
  }

  private record Key(LinkAddress sender, LinkAddress destination, int size, int tag) {}

  private static final class Partial {
    final Assembly assembly;
    final long deadline;
    @Nullable Decompressed first;

    Partial(int size, long deadline) {
      this.assembly = new Assembly(size);
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
   * @return the packet, if this was the last piece missing
   */
  Optional<Datagram> accept(
      FragmentHeader header,
      Decompressed part,
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
      partial = begin(key, nowMillis);
    }
    switch (partial.assembly.place(header.offset(), octets)) {
      case NEW -> partials.putIfAbsent(key, partial);
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
      oldest.remove();
      expired++;
    }
  }

  /** How many packets were forgotten since this was last asked. */
  int takeExpired() {
    int count = expired;
    expired = 0;
    return count;
  }

  /** How many packets are unfinished. */
  int unfinished() {
    return partials.size();
  }

  private Partial begin(Key key, long nowMillis) throws WireException {
    long ofSender =
        partials.keySet().stream().filter(other -> other.sender().equals(key.sender())).count();
    if (ofSender >= limits.perSender()) {
      throw new WireException(Drop.FRAGMENT_SENDER_LIMIT);
    }
    if (partials.size() >= limits.packets()) {
      throw new WireException(Drop.FRAGMENT_TABLE_FULL);
    }
    return new Partial(key.size(), nowMillis + limits.millis());
  }
}
