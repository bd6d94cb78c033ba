package dev.vigil.gateway.month;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What one mote knows to have happened: the truth that the gateway is compared with. */
final class Ledger {
  private static final int RECORDED = 64;

  /** Of two registrations. */
  private static final int BLOCKS = 4;

  private final MotePlan plan;

  /** By path: the number of the next value; all lower ones were measured. */
  private final Map<String, Long> measured = new HashMap<>();

  /** By path: the accepted updates, by number. */
  private final Map<String, TreeMap<Long, Accepted>> accepted = new HashMap<>();

  /** Its last packets, as somebody on the way may record them. */
  private final Deque<byte[]> recorded = new ArrayDeque<>();

  /** The same of its last registration. */
  private final Deque<byte[]> registration = new ArrayDeque<>();

  /** Whether an answer that arrives now is one of a gateway whose state was replaced since. */
  private boolean answersAreLost;

  private long updates;
  private boolean on;
  private long lastPowerLoss = -1;

  /**
   * An accepted reading.
   *
   * @param at the time of the answer, microseconds
   */
  record Accepted(long value, long at) {}

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

  boolean isOn() {
    return on;
  }

  void powered(boolean nowOn, long at) {
    on = nowOn;
    if (!nowOn) {
      lastPowerLoss = at;
    }
  }

  /** When power went last, microseconds; -1: never. */
  long lastPowerLoss() {
    return lastPowerLoss;
  }

  void measured(MoteReport.Measured one) {
    measured.put(MotePlan.PATHS.get(one.sensor()), one.value() + 1);
  }

  void event(MoteReport.Event event) {
    if (!event.accepted()) {
      return;
    }
    updates++;
    if (!answersAreLost) {
      accepted
          .computeIfAbsent(event.text(), p -> new TreeMap<>())
          .put(event.seq(), new Accepted(nextValue(event.text()) - 1, event.at()));
    }
  }

  void record(byte[] packet) {
    if (CoapPeek.of(packet).filter(CoapPeek::isRegistration).isPresent()) {
      add(registration, packet, BLOCKS);
    } else {
      add(recorded, packet, RECORDED);
    }
  }

  private static void add(Deque<byte[]> packets, byte[] packet, int most) {
    packets.add(packet);
    if (packets.size() > most) {
      packets.remove();
    }
  }

  /** What somebody has recorded: the registration first. */
  List<byte[]> recorded() {
    List<byte[]> all = new ArrayList<>(registration);
    all.addAll(recorded);
    return all;
  }

  /**
   * A gateway stopped, and its state is replaced: answers that are on their way are of no use.
   *
   * @param lost until the next gateway runs
   */
  void answersAreLost(boolean lost) {
    answersAreLost = lost;
  }

  /** The gateway may lack what was accepted since a moment. */
  void lostSince(long at) {
    accepted
        .values()
        .forEach(updatesOfPath -> updatesOfPath.values().removeIf(one -> one.at() >= at));
  }

  /** The value after the last one that a sensor measured. */
  long nextValue(String path) {
    return measured.getOrDefault(path, 0L);
  }

  /** The accepted updates of a resource, by number. */
  TreeMap<Long, Accepted> accepted(String path) {
    return accepted.getOrDefault(path, new TreeMap<>());
  }
}
