package dev.vigil.gateway.month;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Each kind of fault: what happens, for how long, and how it ends. */
final class Episodes {
  /** For older ones the margin of numbers does not grow any more. */
  private static final Duration OLDEST_BACKUP = Duration.ofDays(20);

  /** Octets; some updates need less, a registration more. */
  private static final int MOST_ROOM = 128 * 1024;

  private static final Duration FREQUENT = Duration.ofHours(1);

  private final Month month;
  private final Chance chance;
  private final List<GatewayRuns.Backup> backups = new ArrayList<>();
  private final long end;

  /** The kinds of faults; some are more frequent. */
  enum Kind {
    OUTAGE(2),
    CRASH(1),
    BAD_NETWORK(2),
    OVERLOAD(1),
    GATEWAY_CLOCK(1),
    MOTE_CLOCK(1),
    POWER(2),
    RESTORE(1),
    FULL_DISK(1),
    DOMAIN(2),
    FORGET(1),
    REPLACE(1),
    ROTATE(2);

    final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  /**
   * @param end no fault lasts after this moment, in microseconds
   */
  Episodes(Month month, Chance chance, long end) {
    this.month = month;
    this.chance = chance;
    this.end = end;
  }

  /**
   * Begins a fault and plans its end.
   *
   * @return how long it lasts
   */
  Duration begin(Kind kind) throws IOException, InterruptedException {
    return switch (kind) {
      case OUTAGE -> outage();
      case CRASH -> crash();
      case BAD_NETWORK -> badNetwork();
      case OVERLOAD -> overload();
      case GATEWAY_CLOCK -> gatewayClock();
      case MOTE_CLOCK -> moteClock();
      case POWER -> powerCuts();
      case RESTORE -> restore();
      case FULL_DISK -> fullDisk();
      case DOMAIN -> closedDomain();
      case FORGET -> forget();
      case REPLACE -> replace();
      case ROTATE -> rotate();
    };
  }

  /** Makes a backup that a later episode may restore. */
  void backUp() throws IOException {
    month.note("backup");
    backups.add(month.runs().backUp());
  }

  /** Plans what begins before the end. */
  void unlessOver(Duration pause, Agenda.Happening what) {
    if (month.time().micros() + Month.micros(pause) < end) {
      month.agenda().planIn(pause, what);
    }
  }

  private Ledger anyMote() {
    return chance.any(List.copyOf(month.ledgers()));
  }

  /** No longer than the faults may last. */
  private Duration bounded(Duration wanted) {
    Duration left = Duration.ofNanos(Math.max(0, end - month.time().micros()) * 1000);
    return wanted.compareTo(left) < 0 ? wanted : left;
  }

  private Duration outage() throws InterruptedException {
    boolean slow = chance.nextInt(4) == 0;
    Duration lasts =
        bounded(
            slow
                ? chance.between(Duration.ofHours(1), Duration.ofHours(30))
                : chance.between(Duration.ofSeconds(1), Duration.ofMinutes(20)));
    month.note("the gateway stops for " + lasts);
    month.stopGateway();
    month.agenda().planIn(lasts, month::startGateway);
    return lasts;
  }

  private Duration crash() throws IOException, InterruptedException {
    Duration lasts = bounded(chance.between(Duration.ofSeconds(1), Duration.ofMinutes(5)));
    month.note("the gateway crashes for " + lasts);
    month.crashGateway();
    month.agenda().planIn(lasts, month::startGateway);
    return lasts;
  }

  private Duration badNetwork() {
    Duration lasts = bounded(chance.between(Duration.ofMinutes(2), Duration.ofMinutes(30)));
    int air = chance.nextInt(200_000);
    int network = chance.nextInt(200_000);
    int duplicates = chance.nextInt(200_000);
    month.note(
        "lost frames %d, packets %d, duplicates %d for %s"
            .formatted(air, network, duplicates, lasts));
    month.network().setLoss(air, network, duplicates);
    month.agenda().planIn(lasts, () -> month.network().setLoss(0, 0, 0));
    return lasts;
  }

  private Duration overload() throws InterruptedException {
    Duration lasts = bounded(chance.between(Duration.ofMinutes(5), Duration.ofHours(6)));
    month.note("the gateway is overloaded for " + lasts);
    month.network().setOverload(500_000);
    for (Ledger mote : month.ledgers()) {
      if (mote.plan().wakeMillis() < FREQUENT.toMillis()) {
        month.operators().command(mote.plan().id(), null);
        month.operators().command(mote.plan().id(), null);
      }
    }
    month.agenda().planIn(lasts, () -> month.network().setOverload(0));
    return lasts;
  }

  /** Most steps are small, some are of hours or days. */
  private Duration step() {
    Duration size =
        switch (chance.nextInt(3)) {
          case 0 -> chance.between(Duration.ofSeconds(1), Duration.ofMinutes(2));
          case 1 -> chance.between(Duration.ofMinutes(2), Duration.ofHours(3));
          default -> chance.between(Duration.ofHours(3), Duration.ofDays(20));
        };
    return chance.nextBoolean() ? size : size.negated();
  }

  private Duration gatewayClock() {
    Duration error = step();
    Duration lasts = bounded(chance.between(Duration.ofMinutes(2), Duration.ofHours(3)));
    month.setGatewayClock(error);
    month.agenda().planIn(lasts, () -> month.setGatewayClock(Duration.ZERO));
    return lasts;
  }

  private Duration moteClock() {
    Ledger mote = anyMote();
    Duration lasts = bounded(chance.between(Duration.ofMinutes(2), Duration.ofHours(3)));
    month.setMoteClock(mote.plan().id(), step());
    month.agenda().planIn(lasts, () -> month.setMoteClock(mote.plan().id(), Duration.ZERO));
    return lasts;
  }

  private Duration powerCuts() {
    int cuts = chance.nextInt(1, 8);
    Duration lasts = bounded(Duration.ofMinutes(10));
    for (int i = 0; i < cuts; i++) {
      Ledger mote = anyMote();
      int id = mote.plan().id();
      Duration at = bounded(chance.between(Duration.ZERO, Duration.ofMinutes(5)));
      if (chance.nextBoolean()) {
        month.agenda().planIn(at, () -> month.cutPower(id));
      } else {
        month
            .agenda()
            .planIn(
                at,
                () -> {
                  if (mote.isOn()) {
                    month.note("mote-%d loses power".formatted(id));
                    month.powerOff(id);
                    month
                        .agenda()
                        .planIn(
                            chance.between(Duration.ofSeconds(1), Duration.ofMinutes(4)),
                            () -> month.powerOn(id));
                  }
                });
      }
    }
    return lasts;
  }

  private Duration restore() throws IOException, InterruptedException {
    Instant oldest = month.time().now().minus(OLDEST_BACKUP);
    backups.removeIf(backup -> VirtualTime.at(backup.at()).isBefore(oldest));
    if (backups.isEmpty() || !month.time().gatewayError().isZero()) {
      return outage();
    }
    GatewayRuns.Backup backup = chance.any(backups);
    // Numbers are raised by the time since the backup, which knows no restoration after it.
    backups.removeIf(other -> other != backup);
    month.restore(backup);
    Duration lasts = bounded(chance.between(Duration.ofSeconds(1), Duration.ofMinutes(10)));
    month.agenda().planIn(lasts, month::startGateway);
    replayLater(lasts);
    return lasts;
  }

  private Duration closedDomain() throws InterruptedException {
    String domain = chance.any(month.domains());
    Duration lasts =
        bounded(
            chance.nextInt(4) == 0
                ? chance.between(Duration.ofHours(1), Duration.ofHours(30))
                : chance.between(Duration.ofMinutes(2), Duration.ofMinutes(30)));
    month.setOpen(domain, false);
    month.agenda().planIn(lasts, () -> month.setOpen(domain, true));
    return lasts;
  }

  /** A full disk, which ends with new room; the gateway may then crash and start again. */
  private Duration fullDisk() throws IOException, InterruptedException {
    Duration lasts = bounded(chance.between(Duration.ofMinutes(5), Duration.ofHours(4)));
    int room = chance.nextInt(MOST_ROOM);
    boolean crashes = chance.nextBoolean();
    month.note("the disk has room for %d octets for %s".formatted(room, lasts));
    month.runs().fillDisk(room);
    month
        .agenda()
        .planIn(
            lasts,
            () -> {
              month.runs().makeRoom();
              if (crashes) {
                month.crashGateway();
                month.startGateway();
              }
            });
    return lasts;
  }

  /** At once, before the motes speak, and some minutes later. */
  private void replayLater(Duration pause) {
    for (Ledger mote : month.ledgers()) {
      Duration later =
          chance.nextBoolean() ? Duration.ZERO : Duration.ofMinutes(chance.nextInt(1, 6));
      unlessOver(pause.plus(later), () -> month.network().replay(mote.plan().id()));
    }
  }

  private Duration forget() throws IOException, InterruptedException {
    int mote = anyMote().plan().id();
    month.operators().forget(mote);
    // At once, before the mote speaks, or later.
    Duration pause =
        chance.nextBoolean() ? Duration.ZERO : Duration.ofMinutes(chance.nextInt(1, 5));
    month.agenda().planIn(bounded(pause), () -> month.network().replay(mote));
    return bounded(Duration.ofMinutes(5));
  }

  private Duration replace() {
    month.replace(anyMote().plan().id());
    return bounded(Duration.ofMinutes(20));
  }

  /** Some motes change their keys; then power may go, or an older backup may be restored. */
  private Duration rotate() throws IOException, InterruptedException {
    int motes = chance.nextInt(1, 6);
    for (int i = 0; i < motes; i++) {
      int mote = anyMote().plan().id();
      month.rotate(mote);
      if (chance.nextInt(3) == 0) {
        month.cutPowerWithNewKey(mote);
      }
    }
    Duration settles = bounded(chance.between(Duration.ZERO, Duration.ofMinutes(2)));
    if (chance.nextInt(3) > 0) {
      return bounded(Duration.ofMinutes(5));
    }
    Duration later = bounded(Duration.ofMinutes(15));
    month.agenda().planIn(settles, this::restore);
    return later;
  }
}
