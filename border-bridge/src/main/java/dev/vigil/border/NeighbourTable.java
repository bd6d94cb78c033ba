package dev.vigil.border;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The nodes heard lately, at most 1024. The pipeline writes, any thread reads. */
final class NeighbourTable {
  static final int MAX = 1_024;

  private final Map<Eui64, Neighbour> table = new ConcurrentHashMap<>();

  void heard(Eui64 eui64, String radio, Instant now, int lqi) {
    if (table.size() >= MAX && !table.containsKey(eui64)) {
      table.values().stream()
          .min(Comparator.comparing(Neighbour::lastSeen))
          .ifPresent(oldest -> table.remove(oldest.eui64()));
    }
    Neighbour old = table.get(eui64);
    table.put(
        eui64,
        old == null
            ? new Neighbour(eui64, radio, now, lqi, 1, 0, 0, 0)
            : new Neighbour(
                eui64,
                radio,
                now,
                lqi,
                old.received() + 1,
                old.sent(),
                old.failed(),
                old.transmissions()));
  }

  void sent(LinkAddress to, boolean acknowledged, int transmissions) {
    if (to instanceof LinkAddress.Extended(Eui64 eui64)) {
      table.computeIfPresent(
          eui64,
          (key, old) ->
              new Neighbour(
                  eui64,
                  old.radio(),
                  old.lastSeen(),
                  old.lqi(),
                  old.received(),
                  old.sent() + (acknowledged ? 1 : 0),
                  old.failed() + (acknowledged ? 0 : 1),
                  old.transmissions() + transmissions));
    }
  }

  Optional<Neighbour> find(Eui64 eui64) {
    return Optional.ofNullable(table.get(eui64));
  }

  List<Neighbour> snapshot() {
    return table.values().stream()
        .sorted(Comparator.comparing(Neighbour::lastSeen).reversed())
        .toList();
  }
}
