package dev.vigil.gateway.month;

import dev.vigil.gateway.month.Episodes.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
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

  /** In a longer episode the motes of windows have no power in between. */
  private static final Duration LONG = Duration.ofMinutes(8);

  /** Motes that wake more often pause as long after failures; a key waits as long for approval. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

  /** Wake-ups of a mote with ESP that lost power, until an answer reaches it. */
  private static final int DEAF_WAKE_UPS = 8;

  /** For the retransmissions and the routes of the last wake-up. */
  private static final Duration TOLERANCE = Duration.ofMinutes(2);

  private final Month month;
  private final Chance chance;
  private final Iterator<Kind> kinds;
  private final Pace pace;
  private final Episodes episodes;
  private final long end;

  /** The pauses between episodes, and between backups. */
  private enum Pace {
    OF_MONTHS(Duration.ofHours(3), Duration.ofHours(30), Duration.ofHours(12), Duration.ofDays(6)),
    OF_DAYS(Duration.ofHours(1), Duration.ofHours(8), Duration.ofHours(6), Duration.ofHours(12));

    final Duration leastPause;
    final Duration longestPause;
    final Duration leastBackup;
    final Duration longestBackup;

    Pace(Duration leastPause, Duration longestPause, Duration leastBackup, Duration longestBackup) {
      this.leastPause = leastPause;
      this.longestPause = longestPause;
      this.leastBackup = leastBackup;
      this.longestBackup = longestBackup;
    }
  }

  /** Chosen kinds without end. */
  private record AnyKind(Chance chance, List<Kind> kinds) implements Iterator<Kind> {
    @Override
    public boolean hasNext() {
      return true;
    }

    @Override
    public Kind next() {
      return chance.any(kinds);
    }
  }

  /**
   * @param kinds of the episodes, in their order
   * @param end no fault begins or lasts after this moment, in microseconds
   */
  private Faults(Month month, Chance chance, Iterator<Kind> kinds, Pace pace, long end) {
    this.month = month;
    this.chance = chance;
    this.kinds = kinds;
    this.pace = pace;
    this.end = end;
    this.episodes = new Episodes(month, chance, end);
  }

  /**
   * Lives through a time of faults and what follows.
   *
   * @throws Violation when an invariant does not hold
   */
  static void liveThrough(Month month, Duration faulty, Collection<Kind> kinds)
      throws IOException, InterruptedException {
    List<Kind> weighted =
        kinds.stream().flatMap(kind -> Collections.nCopies(kind.weight, kind).stream()).toList();
    Chance chance = new Chance(month.dice());
    liveThrough(month, faulty, chance, new AnyKind(chance, weighted), Pace.OF_MONTHS);
  }

  /**
   * Lives through one fault of each kind, with shorter pauses, and what follows.
   *
   * @throws Violation when an invariant does not hold
   */
  static void liveThroughEachKind(Month month, Duration faulty)
      throws IOException, InterruptedException {
    Iterator<Kind> each = shuffled(month.dice()).iterator();
    liveThrough(month, faulty, new Chance(month.dice()), each, Pace.OF_DAYS);
    if (each.hasNext()) {
      throw new IllegalStateException("no time was left for " + each.next());
    }
  }

  private static void liveThrough(
      Month month, Duration faulty, Chance chance, Iterator<Kind> kinds, Pace pace)
      throws IOException, InterruptedException {
    long end = Month.micros(faulty);
    Faults faults = new Faults(month, chance, kinds, pace, end - Month.micros(QUIET));
    faults.plan();
    month.runUntil(end);
    faults.end();
  }

  /** The order of the kinds. A restoration comes last, because it needs a backup. */
  private static List<Kind> shuffled(SplittableRandom dice) {
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

  // ---- people ----

  private void nextCommand() {
    episodes.unlessOver(
        chance.between(Duration.ofMinutes(20), Duration.ofHours(5)),
        () -> {
          command();
          nextCommand();
        });
  }

  private void command() throws InterruptedException {
    MotePlan plan = chance.any(month.ledgers().stream().map(Ledger::plan).toList());
    Duration wake = Duration.ofMillis(plan.wakeMillis());
    @Nullable Duration life =
        chance.nextInt(3) == 0
            ? chance.between(Duration.ofSeconds(30), wake.plusMinutes(10))
            : null;
    boolean slow = wake.compareTo(Duration.ofHours(2)) > 0;
    int count = !slow && chance.nextInt(10) == 0 ? 20 : 1;
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
    episodes.unlessOver(
        chance.between(pace.leastBackup, pace.longestBackup),
        () -> {
          if (month.runs().running().isPresent()
              && month.runs().hasRoom()
              && month.time().gatewayError().isZero()) {
            episodes.backUp();
          }
          nextBackup();
        });
  }

  /** Daily at first: a check reads the whole history. */
  private void nextCheck() {
    Duration lived = Duration.ofNanos(month.time().micros() * 1000);
    episodes.unlessOver(
        Collections.max(List.of(Duration.ofDays(1), lived.dividedBy(3))),
        () -> {
          month.check();
          nextCheck();
        });
  }

  // ---- episodes ----

  private void nextEpisode() {
    if (!kinds.hasNext()) {
      return;
    }
    Duration pause = chance.between(pace.leastPause, pace.longestPause);
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
    Duration lasts = episodes.begin(kinds.next());
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
