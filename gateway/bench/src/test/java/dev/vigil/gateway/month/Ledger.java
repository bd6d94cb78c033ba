package dev.vigil.gateway.month;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The record of one mote: the truth that the gateway is compared with. */
final class Ledger {
  private static final int RECORDED = 64;

  /** 5.03 as an octet. */
  private static final int UNAVAILABLE = 0xa3;

  /** Of two registrations. */
  private static final int BLOCKS = 4;

  private final MotePlan plan;

  /** By path: the number of the next value; all lower ones were measured. */
  private final Map<String, Long> measured = new HashMap<>();

  /** By path: the accepted updates, by number. */
  private final Map<String, TreeMap<Long, Accepted>> accepted = new HashMap<>();

  /** Its last packets, as somebody on the way may record them. */
  private final Deque<byte[]> recorded = new ArrayDeque<>();

  /** The packets of its last registration. */
  private final Deque<byte[]> registration = new ArrayDeque<>();

  /** Whether an answer that arrives now is one of a gateway whose state was replaced since. */
  private boolean answersAreLost;

  private String key = "";

  /** The numbers that were used, each behind its key. */
  private final Set<String> numbers = new HashSet<>();

  private long updates;
  private int unavailable;
  private boolean clockWasWrong;
  private boolean on;
  private long lastPowerLoss = -1;
  private long unconfirmedAt = -1;

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

  /** How often a request was answered with 5.03. */
  int unavailable() {
    return unavailable;
  }

  /** The clock that its readings or their arrivals are measured with is not the right one. */
  void clockIsWrong() {
    clockWasWrong = true;
  }

  boolean clockWasWrong() {
    return clockWasWrong;
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

  /** The time of the last loss of power, microseconds; -1: never. */
  long lastPowerLoss() {
    return lastPowerLoss;
  }

  /**
   * The time of the last update in microseconds if it was not confirmable, else -1. Collisions on
   * the radio may lose such an update; the mote does not repeat it (RFC 7252 section 4.3).
   */
  long unconfirmedAt() {
    return unconfirmedAt;
  }

  void measured(MoteReport.Measured one) {
    measured.put(MotePlan.PATHS.get(one.sensor()), one.value() + 1);
  }

  void event(MoteReport.Event event) {
    takeNumber(event);
    if (event.kind() == MoteReport.Event.Kind.SENT && MotePlan.PATHS.contains(event.text())) {
      unconfirmedAt = event.confirmable() ? -1 : event.at();
    }
    if (event.kind() == MoteReport.Event.Kind.KEY) {
      key = event.text();
    }
    if (event.kind() == MoteReport.Event.Kind.REFUSED && event.code() == UNAVAILABLE) {
      unavailable++;
    }
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

  /** A mote signs no two messages with one number under one key. */
  private void takeNumber(MoteReport.Event event) {
    boolean signed =
        switch (event.kind()) {
          case REGISTERED -> true;
          case SENT, REFUSED, UNANSWERED -> MotePlan.PATHS.contains(event.text());
          case KEY, MIRROR, RESUMED, COMMAND, SENSOR, FAILED -> false;
        };
    HistoryCheck.require(
        !signed || numbers.add(key + " " + event.seq()),
        "%s has used number %d twice under the key %s",
        plan.ep(),
        event.seq(),
        key);
  }

  /** The thumbprint of the mote's key. */
  String key() {
    return key;
  }

  /** How many keys the mote has had. */
  long keys() {
    return numbers.stream().map(number -> number.split(" ")[0]).distinct().count();
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

  /** The recorded packets: the registration first. */
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
