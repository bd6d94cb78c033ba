package dev.vigil.gateway.month;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The seeded faults of a month. Episodes follow one another with pauses; each begins with one fault
 * and ends when that is over. Motes of windows have power around the episodes.
 */
final class Faults {
  private static final Duration BEFORE = Duration.ofMinutes(1);
  private static final Duration AFTER = Duration.ofMinutes(3);

  /** A mote may lose power for some minutes after the last episode. */
  private static final Duration QUIET = Duration.ofMinutes(20);

  /** For older ones the margin of numbers does not grow any more. */
  private static final Duration OLDEST_BACKUP = Duration.ofDays(20);

  /** Octets; some updates need less, a registration more. */
  private static final int MOST_ROOM = 128 * 1024;

  private static final Duration FREQUENT = Duration.ofHours(1);

  /** In a longer episode the motes of windows have no power in between. */
  private static final Duration LONG = Duration.ofMinutes(8);

  /** Motes that wake more often pause as long after failures; a key waits as long for approval. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

  /** Wake-ups of a mote with ESP that lost power, until an answer reaches it. */
  private static final int DEAF_WAKE_UPS = 8;

  /** For the retransmissions and the routes of the last wake-up. */
  private static final Duration TOLERANCE = Duration.ofMinutes(2);

  private final Month month;
  private final SplittableRandom dice;
  private final List<Kind> kinds;

  /** The kinds that follow if each happens once; null: any kind may follow. */
  private final @Nullable List<Kind> deck;

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

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  /**
   * @param kinds of faults
   * @param once whether each kind happens once
   * @param end no fault begins or lasts after this moment, in microseconds
   */
  private Faults(Month month, Collection<Kind> kinds, boolean once, long end) {
    this.kinds =
        kinds.stream().flatMap(kind -> Collections.nCopies(kind.weight, kind).stream()).toList();
    this.month = month;
    this.dice = month.dice();
    this.end = end;
    this.deck = once ? shuffled() : null;
  }

  /**
   * Lives through a time of faults and what follows.
   *
   * @throws Violation when an invariant does not hold
   */
  static void liveThrough(Month month, Duration faulty, Collection<Kind> kinds)
      throws IOException, InterruptedException {
    liveThrough(month, faulty, kinds, false);
  }

  /**
   * Lives through one fault of each kind, with shorter pauses, and what follows.
   *
   * @throws Violation when an invariant does not hold
   */
  static void liveThroughEachKind(Month month, Duration faulty)
      throws IOException, InterruptedException {
    liveThrough(month, faulty, List.of(Kind.values()), true);
  }

  private static void liveThrough(
      Month month, Duration faulty, Collection<Kind> kinds, boolean once)
      throws IOException, InterruptedException {
    long end = Month.micros(faulty);
    Faults faults = new Faults(month, kinds, once, end - Month.micros(QUIET));
    faults.plan();
    month.runUntil(end);
    if (faults.deck != null && !faults.deck.isEmpty()) {
      throw new IllegalStateException("no time was left for " + faults.deck);
    }
    faults.end();
  }

  /** The order of the kinds. A restoration comes last, because it needs a backup. */
  private List<Kind> shuffled() {
    List<Kind> order = new ArrayList<>(List.of(Kind.values()));
    order.remove(Kind.RESTORE);
    Collections.shuffle(order, dice);
    order.add(Kind.RESTORE);
    return order;
  }

  /** Plans everything that people do, and the first episode. */
  private void plan() {
    month.ledgers().stream()
        .map(ledger -> ledger.plan())
        .filter(plan -> !plan.windows())
        .forEach(plan -> month.powerOn(plan.id()));
    nextEpisode();
    nextCommand();
    nextBackup();
    nextCheck();
    approveAll();
  }

  private Duration between(Duration least, Duration most) {
    return Duration.ofSeconds(dice.nextLong(least.toSeconds(), most.toSeconds() + 1));
  }

  private void unlessOver(Duration pause, Agenda.Happening what) {
    if (month.time().micros() + Month.micros(pause) < end) {
      month.agenda().planIn(pause, what);
    }
  }

  // ---- people ----

  private void nextCommand() {
    unlessOver(
        between(Duration.ofMinutes(20), Duration.ofHours(5)),
        () -> {
          command();
          nextCommand();
        });
  }

  private void command() throws InterruptedException {
    MotePlan plan = any(month.ledgers().stream().map(Ledger::plan).toList());
    Duration wake = Duration.ofMillis(plan.wakeMillis());
    @Nullable Duration life =
        dice.nextInt(3) == 0 ? between(Duration.ofSeconds(30), wake.plusMinutes(10)) : null;
    boolean slow = wake.compareTo(Duration.ofHours(2)) > 0;
    int count = !slow && dice.nextInt(10) == 0 ? 20 : 1;
    if (slow && month.time().micros() > end / 4 * 3) {
      return;
    }
    for (int i = 0; i < count; i++) {
      month.operators().command(plan.id(), life);
    }
  }

  /** An operator looks at waiting keys, also after the last fault. */
  private void approveAll() {
    month.operators().approve();
    month.agenda().planIn(Duration.ofMinutes(10), this::approveAll);
  }

  private void nextBackup() {
    unlessOver(
        deck == null
            ? between(Duration.ofHours(12), Duration.ofDays(6))
            : between(Duration.ofHours(6), Duration.ofHours(12)),
        () -> {
          if (month.runs().running().isPresent()
              && month.runs().hasRoom()
              && month.time().gatewayError().isZero()) {
            month.note("backup");
            backups.add(month.runs().backUp());
          }
          nextBackup();
        });
  }

  /** Daily at first: a check reads the whole history. */
  private void nextCheck() {
    Duration lived = Duration.ofNanos(month.time().micros() * 1000);
    unlessOver(
        Collections.max(List.of(Duration.ofDays(1), lived.dividedBy(3))),
        () -> {
          month.check();
          nextCheck();
        });
  }

  private <T> T any(List<T> some) {
    return some.get(dice.nextInt(some.size()));
  }

  private Ledger anyMote() {
    return any(List.copyOf(month.ledgers()));
  }

  // ---- episodes ----

  private void nextEpisode() {
    if (deck != null && deck.isEmpty()) {
      return;
    }
    Duration pause =
        deck == null
            ? between(Duration.ofHours(3), Duration.ofHours(30))
            : between(Duration.ofHours(1), Duration.ofHours(8));
    if (month.time().micros() + Month.micros(pause) < end) {
      month.agenda().planIn(pause.minus(BEFORE), this::openWindow);
      month.agenda().planIn(pause, this::episode);
    }
  }

  private void openWindow() {
    month.ledgers().stream()
        .filter(ledger -> ledger.plan().windows())
        .forEach(ledger -> month.powerOn(ledger.plan().id()));
  }

  private void closeWindow() {
    month.ledgers().stream()
        .filter(ledger -> ledger.plan().windows())
        .forEach(ledger -> month.powerOff(ledger.plan().id()));
  }

  private void episode() throws IOException, InterruptedException {
    Duration lasts =
        switch (deck == null ? any(kinds) : deck.removeFirst()) {
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
    if (lasts.compareTo(LONG) > 0) {
      month.agenda().planIn(AFTER, this::closeWindow);
      month.agenda().planIn(lasts.minus(BEFORE), this::openWindow);
    }
    month
        .agenda()
        .planIn(
            lasts,
            () -> {
              month.agenda().planIn(AFTER, this::closeWindow);
              nextEpisode();
            });
  }

  /** No longer than the faults may last. */
  private Duration bounded(Duration wanted) {
    Duration left = Duration.ofNanos(Math.max(0, end - month.time().micros()) * 1000);
    return wanted.compareTo(left) < 0 ? wanted : left;
  }

  private Duration outage() throws InterruptedException {
    boolean slow = dice.nextInt(4) == 0;
    Duration lasts =
        bounded(
            slow
                ? between(Duration.ofHours(1), Duration.ofHours(30))
                : between(Duration.ofSeconds(1), Duration.ofMinutes(20)));
    month.note("the gateway stops for " + lasts);
    month.stopGateway();
    month.agenda().planIn(lasts, month::startGateway);
    return lasts;
  }

  private Duration crash() throws IOException, InterruptedException {
    Duration lasts = bounded(between(Duration.ofSeconds(1), Duration.ofMinutes(5)));
    month.note("the gateway crashes for " + lasts);
    month.crashGateway();
    month.agenda().planIn(lasts, month::startGateway);
    return lasts;
  }

  private Duration badNetwork() {
    Duration lasts = bounded(between(Duration.ofMinutes(2), Duration.ofMinutes(30)));
    int air = dice.nextInt(200_000);
    int network = dice.nextInt(200_000);
    int duplicates = dice.nextInt(200_000);
    month.note(
        "lost frames %d, packets %d, duplicates %d for %s"
            .formatted(air, network, duplicates, lasts));
    month.network().setLoss(air, network, duplicates);
    month.agenda().planIn(lasts, () -> month.network().setLoss(0, 0, 0));
    return lasts;
  }

  private Duration overload() throws InterruptedException {
    Duration lasts = bounded(between(Duration.ofMinutes(5), Duration.ofHours(6)));
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
        switch (dice.nextInt(3)) {
          case 0 -> between(Duration.ofSeconds(1), Duration.ofMinutes(2));
          case 1 -> between(Duration.ofMinutes(2), Duration.ofHours(3));
          default -> between(Duration.ofHours(3), Duration.ofDays(20));
        };
    return dice.nextBoolean() ? size : size.negated();
  }

  private Duration gatewayClock() {
    Duration error = step();
    Duration lasts = bounded(between(Duration.ofMinutes(2), Duration.ofHours(3)));
    month.setGatewayClock(error);
    month.agenda().planIn(lasts, () -> month.setGatewayClock(Duration.ZERO));
    return lasts;
  }

  private Duration moteClock() {
    Ledger mote = anyMote();
    Duration lasts = bounded(between(Duration.ofMinutes(2), Duration.ofHours(3)));
    month.setMoteClock(mote.plan().id(), step());
    month.agenda().planIn(lasts, () -> month.setMoteClock(mote.plan().id(), Duration.ZERO));
    return lasts;
  }

  private Duration powerCuts() {
    int cuts = dice.nextInt(1, 8);
    Duration lasts = bounded(Duration.ofMinutes(10));
    for (int i = 0; i < cuts; i++) {
      Ledger mote = anyMote();
      int id = mote.plan().id();
      Duration at = bounded(between(Duration.ZERO, Duration.ofMinutes(5)));
      if (dice.nextBoolean()) {
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
                            between(Duration.ofSeconds(1), Duration.ofMinutes(4)),
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
    GatewayRuns.Backup backup = any(backups);
    // Numbers are raised by the time since the backup, which knows no restoration after it.
    backups.removeIf(other -> other != backup);
    month.restore(backup);
    Duration lasts = bounded(between(Duration.ofSeconds(1), Duration.ofMinutes(10)));
    month.agenda().planIn(lasts, month::startGateway);
    replayLater(lasts);
    return lasts;
  }

  private Duration closedDomain() throws InterruptedException {
    String domain = any(month.domains());
    Duration lasts =
        bounded(
            dice.nextInt(4) == 0
                ? between(Duration.ofHours(1), Duration.ofHours(30))
                : between(Duration.ofMinutes(2), Duration.ofMinutes(30)));
    month.setOpen(domain, false);
    month.agenda().planIn(lasts, () -> month.setOpen(domain, true));
    return lasts;
  }

  /** A full disk, which ends with new room; the gateway may then crash and start again. */
  private Duration fullDisk() throws IOException, InterruptedException {
    Duration lasts = bounded(between(Duration.ofMinutes(5), Duration.ofHours(4)));
    int room = dice.nextInt(MOST_ROOM);
    boolean crashes = dice.nextBoolean();
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
      Duration later = dice.nextBoolean() ? Duration.ZERO : Duration.ofMinutes(dice.nextInt(1, 6));
      unlessOver(pause.plus(later), () -> month.network().replay(mote.plan().id()));
    }
  }

  private Duration forget() throws IOException, InterruptedException {
    int mote = anyMote().plan().id();
    month.operators().forget(mote);
    month
        .agenda()
        .planIn(bounded(Duration.ofMinutes(dice.nextInt(5))), () -> month.network().replay(mote));
    return bounded(Duration.ofMinutes(5));
  }

  private Duration replace() {
    month.replace(anyMote().plan().id());
    return bounded(Duration.ofMinutes(20));
  }

  /** Some motes change their keys; then power may go, or an older backup may be restored. */
  private Duration rotate() throws IOException, InterruptedException {
    int motes = dice.nextInt(1, 6);
    for (int i = 0; i < motes; i++) {
      int mote = anyMote().plan().id();
      month.rotate(mote);
      if (dice.nextInt(3) == 0) {
        month.cutPowerWithNewKey(mote);
      }
    }
    Duration settles = bounded(between(Duration.ZERO, Duration.ofMinutes(2)));
    if (dice.nextInt(3) > 0) {
      return bounded(Duration.ofMinutes(5));
    }
    Duration later = bounded(Duration.ofMinutes(15));
    month.agenda().planIn(settles, this::restore);
    return later;
  }

  // ---- the end ----

  /** Ends every fault, and waits until each mote must be on time. */
  private void end() throws IOException, InterruptedException {
    month.note("the last fault is over");
    month.network().setLoss(0, 0, 0);
    month.network().setOverload(0);
    month.setGatewayClock(Duration.ZERO);
    month.runs().makeRoom();
    month.startGateway();
    for (String domain : month.domains()) {
      month.setOpen(domain, true);
    }
    month.readers().startAnew();
    for (Ledger ledger : month.ledgers()) {
      int id = ledger.plan().id();
      month.spareFlash(id);
      month.setMoteClock(id, Duration.ZERO);
      month.powerOn(id);
    }
    long last = month.time().micros();
    List<MotePlan> plans =
        month.ledgers().stream()
            .sorted(Comparator.comparing(ledger -> recovery(ledger, last)))
            .map(Ledger::plan)
            .toList();
    for (MotePlan plan : plans) {
      month.runUntil(last + Month.micros(recovery(month.ledger(plan.id()), last)));
      month.requireOnTime(plan.id());
      if (plan.windows()) {
        month.agenda().planIn(AFTER, () -> month.powerOff(plan.id()));
      }
    }
    month.run(AFTER);
    month.check();
    month.readers().requireSight();
    month.commands().requireTruthful();
  }

  /** How long after the last fault a mote may need until it is on time. */
  private static Duration recovery(Ledger ledger, long last) {
    MotePlan plan = ledger.plan();
    Duration wake = Duration.ofMillis(plan.wakeMillis());
    Duration interval = wake.compareTo(LONGEST_PAUSE) > 0 ? wake : LONGEST_PAUSE;
    // After a loss of power a mote refuses up to 16 packets in ESP: the answers of some wake-ups.
    Duration deaf = interval.multipliedBy(DEAF_WAKE_UPS);
    boolean lostPower =
        ledger.lastPowerLoss() >= 0 && ledger.lastPowerLoss() + Month.micros(deaf) > last;
    return (plan.esp() && lostPower ? deaf : interval.multipliedBy(2)).plus(TOLERANCE);
  }
}
