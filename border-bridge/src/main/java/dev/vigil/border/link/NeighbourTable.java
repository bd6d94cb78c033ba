package dev.vigil.border.link;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.SecurityLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The nodes heard recently, at most 256. A new node replaces a node that was silent for ten
 * minutes. If there is no such node, the new node's traffic is counted in a shared entry. The
 * pipeline thread writes; any thread may read.
 */
public final class NeighbourTable {
  static final int CAPACITY = 256;
  static final Duration SILENCE = Duration.ofMinutes(10);

  private static final class Entry {
    final LinkCounters counters = new LinkCounters();
    volatile String radio = "";
    volatile Instant lastSeen = Instant.EPOCH;
    volatile int lqi;
    volatile SecurityLevel level = SecurityLevel.NONE;
    volatile boolean readsIpsec;
    volatile boolean knowsContexts;
    volatile int lowOctets;
    volatile boolean knowsSequence;
  }

  private final Map<Eui64, Entry> table = new ConcurrentHashMap<>();
  private final LinkCounters others = new LinkCounters();
  private final List<NeighbourListener> listeners = new CopyOnWriteArrayList<>();

  /** Adds a listener. Neighbours that are already in the table are not announced to it. */
  public void addListener(NeighbourListener listener) {
    listeners.add(listener);
  }

  /** Records an accepted frame. */
  void heard(Eui64 eui64, String radio, Instant now, int lqi, SecurityLevel level, int octets) {
    Entry known = table.get(eui64);
    if (known == null && !makeRoom(now)) {
      others.received(octets, now);
      return;
    }
    Entry entry = known == null ? new Entry() : known;
    if (known == null) {
      listeners.forEach(listener -> listener.added(eui64, entry.counters::statistics));
    }
    entry.radio = radio;
    entry.lastSeen = now;
    entry.lqi = lqi;
    entry.level = level;
    entry.counters.received(octets, now);
    // This is the last step, so that other threads see a new neighbour with its first frame.
    table.putIfAbsent(eui64, entry);
  }

  private boolean makeRoom(Instant now) {
    if (table.size() < CAPACITY) {
      return true;
    }
    Optional<Eui64> silent =
        table.entrySet().stream()
            .min(Comparator.comparing(entry -> entry.getValue().lastSeen))
            .filter(entry -> entry.getValue().lastSeen.plus(SILENCE).isBefore(now))
            .map(Map.Entry::getKey);
    silent.ifPresent(
        eui64 -> {
          table.remove(eui64);
          listeners.forEach(listener -> listener.removed(eui64));
        });
    return silent.isPresent();
  }

  /**
   * Records that a node has sent compressed AH or ESP and can therefore read them. A node without
   * an entry is not recorded and receives these headers inline.
   */
  void sentCompressedIpsec(LinkAddress address) {
    Entry entry = entry(address);
    if (entry != null) {
      entry.readsIpsec = true;
    }
  }

  /** Whether a node has sent compressed AH or ESP since it was added to the table. */
  boolean readsCompressedIpsec(LinkAddress address) {
    Entry entry = entry(address);
    return entry != null && entry.readsIpsec;
  }

  /**
   * Records that a node has compressed an address with a context and therefore knows the contexts.
   * A node without an entry is not recorded and receives addresses in full.
   */
  void usedContext(LinkAddress address) {
    Entry entry = entry(address);
    if (entry != null) {
      entry.knowsContexts = true;
    }
  }

  /** Whether a node has used a context since it was added to the table. */
  boolean knowsContexts(LinkAddress address) {
    Entry entry = entry(address);
    return entry != null && entry.knowsContexts;
  }

  /**
   * Records how many low octets of its own sequence numbers a node sends, 0 for whole numbers. It
   * reads such numbers too.
   */
  void sentLowOctets(LinkAddress address, int octets) {
    Entry entry = entry(address);
    if (entry != null) {
      entry.lowOctets = octets;
    }
  }

  /** The low octets of a sequence number that a node reads; 0 if it needs the whole number. */
  int lowOctets(LinkAddress address) {
    Entry entry = entry(address);
    return entry == null ? 0 : entry.lowOctets;
  }

  /** Records whether a node knows a recent whole sequence number of this host. */
  void knowsSequence(LinkAddress address, boolean knows) {
    Entry entry = entry(address);
    if (entry != null) {
      entry.knowsSequence = knows;
    }
  }

  /**
   * Whether a node has acknowledged a whole sequence number, and every frame since. Otherwise it
   * could restore an elided number wrongly.
   */
  boolean knowsSequence(LinkAddress address) {
    Entry entry = entry(address);
    return entry != null && entry.knowsSequence;
  }

  /** The counters of a link address; addresses without an entry share one set. */
  LinkCounters counters(LinkAddress address) {
    Entry entry = entry(address);
    return entry == null ? others : entry.counters;
  }

  private @Nullable Entry entry(LinkAddress address) {
    return address instanceof LinkAddress.Extended(Eui64 eui64) ? table.get(eui64) : null;
  }

  /** The traffic of all nodes without an entry. */
  public LinkStatistics others() {
    return others.statistics();
  }

  /** The name of the radio that hears a neighbour. */
  public Optional<String> radioOf(Eui64 eui64) {
    return Optional.ofNullable(table.get(eui64)).map(entry -> entry.radio);
  }

  public int size() {
    return table.size();
  }

  /** All neighbours, most recently heard first. */
  public List<Neighbour> snapshot() {
    return table.entrySet().stream()
        .map(NeighbourTable::neighbour)
        .sorted(Comparator.comparing(Neighbour::lastSeen).reversed())
        .toList();
  }

  private static Neighbour neighbour(Map.Entry<Eui64, Entry> row) {
    Entry entry = row.getValue();
    return new Neighbour(
        row.getKey(),
        entry.radio,
        entry.lastSeen,
        entry.lqi,
        entry.level,
        entry.counters.statistics());
  }
}
