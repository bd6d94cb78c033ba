package dev.vigil.gateway.month;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** What one mote knows to have happened: the truth that the gateway is compared with. */
final class Ledger {
  private final MotePlan plan;

  /** By path: the number of the next value; all lower ones were measured. */
  private final Map<String, Long> measured = new HashMap<>();

  /** By path: the accepted updates, by number, with the time of the answer. */
  private final Map<String, TreeMap<Long, Long>> accepted = new HashMap<>();

  private long updates;

  Ledger(MotePlan plan) {
    this.plan = plan;
  }

  MotePlan plan() {
    return plan;
  }

  /** The number of accepted updates. */
  long updates() {
    return updates;
  }

  void measured(MoteReport.Measured one) {
    measured.put(MotePlan.PATHS.get(one.sensor()), one.value() + 1);
  }

  void event(MoteReport.Event event) {
    if (event.accepted()) {
      updates++;
      accepted.computeIfAbsent(event.text(), p -> new TreeMap<>()).put(event.seq(), event.at());
    }
  }

  /** The value after the last one that a sensor measured. */
  long nextValue(String path) {
    return measured.getOrDefault(path, 0L);
  }

  /** The accepted updates of a resource, by number, with the time of the answer. */
  TreeMap<Long, Long> accepted(String path) {
    return accepted.getOrDefault(path, new TreeMap<>());
  }
}
