package dev.vigil.border;

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

/**
 * The nodes heard lately, at most 256. A newcomer takes the place of one that was silent for ten
 * minutes; where there is none it is counted among the others. The pipeline writes, any thread
 * reads.
 */
final class NeighbourTable {
  static final int MAX = 256;
  static final Duration SILENT = Duration.ofMinutes(10);

  private static final class Entry {
    final LinkTally tally = new LinkTally();
    volatile String radio = "";
    volatile Instant lastSeen = Instant.EPOCH;
    volatile int lqi;
    volatile SecurityLevel level = SecurityLevel.NONE;
  }

  private final Map<Eui64, Entry> table = new ConcurrentHashMap<>();
  private final LinkTally others = new LinkTally();
  private final List<NeighbourWatch> watches = new CopyOnWriteArrayList<>();

  /** Only neighbours that come later are announced. */
  void watch(NeighbourWatch watch) {
    watches.add(watch);
  }

  /** A frame that was taken. */
  void heard(Eui64 eui64, String radio, Instant now, int lqi, SecurityLevel level, int octets) {
    Entry entry = table.get(eui64);
    if (entry == null && !hasRoom(now)) {
      others.received(octets, now);
      return;
    }
    if (entry == null) {
      Entry fresh = new Entry();
      table.put(eui64, fresh);
      watches.forEach(watch -> watch.came(eui64, fresh.tally::figures));
      entry = fresh;
    }
    entry.radio = radio;
    entry.lastSeen = now;
    entry.lqi = lqi;
    entry.level = level;
    entry.tally.received(octets, now);
  }

  private boolean hasRoom(Instant now) {
    if (table.size() < MAX) {
      return true;
    }
    Optional<Eui64> silent =
        table.entrySet().stream()
            .min(Comparator.comparing(entry -> entry.getValue().lastSeen))
            .filter(entry -> entry.getValue().lastSeen.plus(SILENT).isBefore(now))
            .map(Map.Entry::getKey);
    silent.ifPresent(
        gone -> {
          table.remove(gone);
          watches.forEach(watch -> watch.went(gone));
        });
    return silent.isPresent();
  }

  /** Whose figures a link address goes to; strangers share one. */
  LinkTally tally(LinkAddress address) {
    Entry entry = address instanceof LinkAddress.Extended(Eui64 eui64) ? table.get(eui64) : null;
    return entry == null ? others : entry.tally;
  }

  LinkFigures others() {
    return others.figures();
  }

  /** The radio that hears a neighbour. */
  Optional<String> radioOf(Eui64 eui64) {
    return Optional.ofNullable(table.get(eui64)).map(entry -> entry.radio);
  }

  int size() {
    return table.size();
  }

  List<Neighbour> snapshot() {
    return table.entrySet().stream()
        .map(NeighbourTable::view)
        .sorted(Comparator.comparing(Neighbour::lastSeen).reversed())
        .toList();
  }

  private static Neighbour view(Map.Entry<Eui64, Entry> named) {
    Entry entry = named.getValue();
    return new Neighbour(
        named.getKey(), entry.radio, entry.lastSeen, entry.lqi, entry.level, entry.tally.figures());
  }
}
