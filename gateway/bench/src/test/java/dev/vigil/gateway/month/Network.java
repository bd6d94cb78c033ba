package dev.vigil.gateway.month;

import dev.vigil.border.ipv6.Ipv6Address;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The network between the motes' root and the gateway, which loses, repeats and delays packets, and
 * the readings that the gateway recovers over it.
 */
final class Network {
  private static final int MILLION = 1_000_000;

  /** In a packet, the last octet of the source address, which is the mote's number. */
  private static final int SENDER = 23;

  private final VirtualTime time;
  private final SplittableRandom dice;
  private final Agenda agenda;
  private final Motes motes;
  private final GatewayRuns runs;
  private final Readers readers;
  private final Map<Integer, Ledger> ledgers;
  private final Defect defect;
  private final Consumer<String> note;
  private final PacketNumberCheck packetNumbers = new PacketNumberCheck();
  private int lossOfMillion;
  private int duplicatesOfMillion;
  private int overloadOfMillion;
  private long recovered;
  private long replayed;

  /**
   * @param note receives the events, for the log
   */
  Network(
      VirtualTime time,
      SplittableRandom dice,
      Agenda agenda,
      Motes motes,
      GatewayRuns runs,
      Readers readers,
      Map<Integer, Ledger> ledgers,
      Defect defect,
      Consumer<String> note) {
    this.time = time;
    this.dice = dice;
    this.agenda = agenda;
    this.motes = motes;
    this.runs = runs;
    this.readers = readers;
    this.ledgers = ledgers;
    this.defect = defect;
    this.note = note;
  }

  /** The number of recorded packets that were sent again. */
  long replayed() {
    return replayed;
  }

  /** The number of readings that were recovered from block stores. */
  long recovered() {
    return recovered;
  }

  private boolean happens(int ofMillion) {
    return ofMillion > 0 && dice.nextInt(MILLION) < ofMillion;
  }

  void arrive(byte[] packet) throws InterruptedException {
    record(packet);
    packetNumbers.sent(packet);
    if (happens(lossOfMillion)) {
      return;
    }
    deliver(packet);
    if (happens(duplicatesOfMillion)) {
      deliver(packet);
    }
    if (happens(duplicatesOfMillion)) {
      agenda.plan(
          time.micros() + dice.nextLong(Month.micros(Duration.ofMinutes(20))),
          () -> deliver(packet));
    }
  }

  private void record(byte[] packet) {
    Ledger sender = ledgers.get((int) packet[SENDER]);
    if (sender != null) {
      sender.record(packet);
    }
  }

  private void deliver(byte[] packet) throws InterruptedException {
    if (runs.running().isPresent()) {
      SimulatedGateway running = runs.running().get();
      send(running, running.receive(packet));
      fillLater(running);
    }
  }

  /** Readings that the gateway lacks are asked for a second after an update. */
  private void fillLater(SimulatedGateway running) {
    running
        .fetch()
        .next()
        .ifPresent(
            id -> {
              agenda.planIn(Duration.ofSeconds(1), () -> fill(running, id));
              fillLater(running);
            });
  }

  private void fill(SimulatedGateway running, String id) {
    if (runs.running().filter(running::equals).isPresent()) {
      int readings = running.fetch().fill(id);
      recovered += readings;
      if (readings > 0) {
        note.accept("%d readings of endpoint %s are recovered".formatted(readings, id));
      }
      fillLater(running);
    }
  }

  void send(SimulatedGateway running, List<byte[]> answers) throws InterruptedException {
    readers.take(running);
    for (byte[] answer : answers) {
      packetNumbers.sent(answer);
      if (!happens(lossOfMillion)) {
        motes.deliver(answer);
      }
      if (happens(duplicatesOfMillion)) {
        motes.deliver(answer);
      }
    }
  }

  /** An overloaded gateway answers 5.03 in place of a command. */
  byte[] onTheWay(Ipv6Address to, byte[] datagram) {
    boolean command = !to.equals(ObservingReader.ADDRESS) && CoapPeek.isSignedContent(datagram);
    if (!command || !happens(overloadOfMillion)) {
      return datagram;
    }
    return defect == Defect.SKIPS_COMMANDS
        ? CoapPeek.notFound(datagram)
        : CoapPeek.overloaded(datagram);
  }

  /**
   * Sends again what somebody recorded, without the mote: as it was, or the newest first, before
   * the failures of old packets are limited.
   */
  void replay(int mote) throws InterruptedException {
    note.accept("recorded packets of mote-%d are sent again".formatted(mote));
    List<byte[]> recorded = Optional.ofNullable(ledgers.get(mote)).orElseThrow().recorded();
    for (byte[] packet : dice.nextBoolean() ? recorded.reversed() : recorded) {
      if (runs.running().isPresent()) {
        SimulatedGateway running = runs.running().get();
        send(running, running.receive(packet));
        replayed++;
      }
    }
  }

  /**
   * @param air frames lost of a million, at each receiver
   * @param network packets lost of a million between root and gateway, in each direction
   * @param duplicates packets of a million that come again, at once or later
   */
  void setLoss(int air, int network, int duplicates) {
    motes.setLoss(air);
    lossOfMillion = network;
    duplicatesOfMillion = duplicates;
  }

  /**
   * @param ofMillion requests for commands that are answered with 5.03
   */
  void setOverload(int ofMillion) {
    overloadOfMillion = ofMillion;
  }
}
