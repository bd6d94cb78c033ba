package dev.vigil.gateway.month;

import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One run: motes, the gateway, what happens to them, and what must hold. */
final class Month implements AutoCloseable {
  /** The longest time between two runs of the gateway's periodic tasks. */
  private static final long TICK_MICROS = micros(Duration.ofMinutes(1));

  /** An update may come so late that it was sent again. */
  private static final Duration TOLERANCE = Duration.ofSeconds(30);

  private static final int MILLION = 1_000_000;
  private static final int MOTES_LEVELS_END = 21;

  private final Path associations;
  private final Defect defect;
  private final VirtualTime time = new VirtualTime();
  private final SplittableRandom dice;
  private final Motes motes;
  private final Commands commands;
  private final NumberCheck numbers = new NumberCheck();
  private final Readers readers;
  private final Map<Integer, Ledger> ledgers = new TreeMap<>();
  private final Agenda agenda = new Agenda(time);
  private final GatewayRuns runs;
  private final List<String> domains;
  private final StringBuilder log = new StringBuilder();
  private final Network network;
  private final Operators operators;

  Month(Path program, Path root, long seed, List<MotePlan> plans, Defect defect)
      throws IOException, InterruptedException {
    this.defect = defect;
    this.dice = new SplittableRandom(seed);
    this.commands = new Commands(new SeededRandom(seed));
    this.domains =
        Stream.concat(Stream.of(""), plans.stream().map(MotePlan::domain)).distinct().toList();
    this.readers = new Readers(domains, numbers);
    int highest = plans.stream().mapToInt(MotePlan::id).max().orElseThrow();
    if (highest > MOTES_LEVELS_END) {
      throw new IllegalArgumentException("too many motes");
    }
    this.motes = Motes.start(program, seed, highest - 1);
    Associations files = new Associations(root, new SeededRandom(-seed));
    for (MotePlan plan : plans) {
      ledgers.put(plan.id(), new Ledger(plan));
      motes.setUp(
          plan,
          plan.esp() ? files.add(plan).toString() : "",
          plan.blockStore() ? root.resolve(plan.ep() + ".blocks").toString() : "",
          List.of(point()));
      motes.setClock(plan.id(), VirtualTime.BEGINNING.getEpochSecond());
    }
    this.associations = files.gateway();
    this.runs = new GatewayRuns(root, seed, time, defect, this::openGateway);
    this.network =
        new Network(time, dice, agenda, motes, runs, readers, ledgers, defect, this::note);
    this.operators = new Operators(this, defect);
    startGateway();
  }

  static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }

  private byte[] point() {
    ByteBuffer point = ByteBuffer.allocate(64);
    return point.put(commands.publicKey().x()).put(commands.publicKey().y()).array();
  }

  VirtualTime time() {
    return time;
  }

  SplittableRandom dice() {
    return dice;
  }

  Collection<Ledger> ledgers() {
    return ledgers.values();
  }

  Ledger ledger(int mote) {
    return Optional.ofNullable(ledgers.get(mote)).orElseThrow();
  }

  Commands commands() {
    return commands;
  }

  /** The events of the month, a line each. */
  String log() {
    return log.toString();
  }

  Network network() {
    return network;
  }

  Operators operators() {
    return operators;
  }

  void note(String what) {
    log.append("%s %s%n".formatted(Duration.ofSeconds(time.micros() / MILLION), what));
  }

  // ---- time ----

  Agenda agenda() {
    return agenda;
  }

  void run(Duration duration) throws IOException, InterruptedException {
    runUntil(time.micros() + micros(duration));
  }

  /** Lets time pass. */
  void runUntil(long end) throws IOException, InterruptedException {
    while (time.micros() < end) {
      Optional<Agenda.Happening> due = agenda.takeDue();
      if (due.isPresent()) {
        due.get().happen();
      } else {
        step(agenda.nextUntil(Math.min(end, time.micros() + TICK_MICROS)));
      }
    }
  }

  /** Lets time pass while the gateway waits for a mote. */
  private void pass(Duration pause) throws InterruptedException {
    SimulatedGateway running = runs.running().orElseThrow();
    network.send(running, running.outgoing());
    step(time.micros() + micros(pause));
  }

  private void step(long until) throws InterruptedException {
    Motes.Step step = motes.run(until);
    for (MoteReport report : step.reports()) {
      time.advance(report.at());
      take(report);
    }
    time.advance(step.at());
    if (runs.running().isPresent()) {
      runs.running().get().tick();
    }
    numbers.check();
  }

  private void take(MoteReport report) throws InterruptedException {
    switch (report) {
      case MoteReport.Packet packet -> network.arrive(packet.octets());
      case MoteReport.Event event -> ledger(event.mote()).event(event);
      case MoteReport.Measured measured -> ledger(measured.mote()).measured(measured);
      case MoteReport.Acted acted -> {
        if (defect != Defect.CONFIRMS_UNDONE) {
          commands.acted(acted);
        }
      }
      case MoteReport.PowerLost lost -> {
        ledger(lost.mote()).powered(false, lost.at());
        note("mote-%d lost power within a write".formatted(lost.mote()));
        agenda.planIn(Duration.ofSeconds(dice.nextInt(1, 600)), () -> powerOn(lost.mote()));
      }
      case MoteReport.NotStarted failed ->
          throw new Violation(
              "%s does not start: %d".formatted(ledger(failed.mote()).plan().ep(), failed.error()));
    }
  }

  // ---- motes ----

  void powerOn(int mote) {
    Ledger ledger = ledger(mote);
    if (!ledger.isOn()) {
      ledger.powered(true, time.micros());
      motes.powerOn(
          mote,
          ledger.lastPowerLoss() < 0,
          defect == Defect.REPEATS_NUMBERS ? Motes.Flash.FORGETFUL : Motes.Flash.KEPT);
    }
  }

  void powerOff(int mote) {
    Ledger ledger = ledger(mote);
    if (ledger.isOn()) {
      ledger.powered(false, time.micros());
      motes.powerOff(mote);
    }
  }

  /** Has power go within one of the next writes to flash. */
  void cutPower(int mote) {
    motes.cutPower(
        mote, dice.nextInt(2), dice.nextInt(1, 6), dice.nextInt(0, 512), dice.nextInt(4));
  }

  /** Has power go when a mote stores its new key, or just before or after. */
  void cutPowerWithNewKey(int mote) {
    motes.cutPower(mote, 0, dice.nextInt(1, 4), dice.nextInt(0, 512), dice.nextInt(4));
  }

  /** Calls off a planned loss of power within a write. */
  void spareFlash(int mote) {
    motes.cutPower(mote, 0, 0, 0, 0);
    motes.cutPower(mote, 1, 0, 0, 0);
  }

  /** Another mote of the same name takes the place of one: its key is new. */
  void replace(int mote) {
    note("mote-%d is replaced".formatted(mote));
    Ledger ledger = ledger(mote);
    motes.powerOff(mote);
    ledger.powered(true, time.micros());
    motes.powerOn(mote, false, Motes.Flash.ERASED);
  }

  void rotate(int mote) {
    note("mote-%d changes its key".formatted(mote));
    motes.rotate(mote);
  }

  void setMoteClock(int mote, Duration error) {
    if (!error.isZero()) {
      note("the clock of mote-%d is wrong by %s".formatted(mote, error));
      ledger(mote).clockIsWrong();
    }
    motes.setClock(mote, VirtualTime.BEGINNING.plus(error).getEpochSecond());
  }

  // ---- the gateway ----

  GatewayRuns runs() {
    return runs;
  }

  void startGateway() throws IOException, InterruptedException {
    if (runs.running().isEmpty()) {
      ledgers.values().forEach(ledger -> ledger.answersAreLost(false));
      runs.start();
      SimulatedGateway running = runs.running().orElseThrow();
      running.follow(running.mirror().queries().position(), numbers::follow);
      running.follow(0, commands::follow);
      readers.connect(running);
    }
  }

  void stopGateway() throws InterruptedException {
    checkReaders();
    runs.stop();
  }

  void crashGateway() throws IOException, InterruptedException {
    checkReaders();
    runs.crash();
  }

  private void checkReaders() throws InterruptedException {
    if (runs.running().isPresent()) {
      readers.check(runs.running().get());
    }
  }

  void setGatewayClock(Duration error) {
    if (!error.isZero()) {
      note("the gateway's clock is wrong by %s".formatted(error));
      ledgers.values().forEach(Ledger::clockIsWrong);
    }
    time.setGatewayError(error);
  }

  /** An administrator lets anyone read a domain, or its owner alone. */
  void setOpen(String domain, boolean open) throws InterruptedException {
    if (runs.running().isPresent()) {
      note("the domain \"%s\" is %s".formatted(domain, open ? "opened" : "closed"));
      if (open) {
        readers.open(runs.running().get(), domain);
      } else {
        readers.close(runs.running().get(), domain);
      }
    }
  }

  List<String> domains() {
    return domains;
  }

  Readers readers() {
    return readers;
  }

  private SimulatedGateway openGateway(Path data, SecureRandom random, boolean first)
      throws IOException {
    return new SimulatedGateway(
        data,
        time,
        random,
        domains,
        List.of(commands.publicKey().json()),
        defect,
        network::onTheWay,
        this::pass,
        associations,
        first);
  }

  /** Puts the gateway back to the state of a backup. */
  void restore(GatewayRuns.Backup backup) throws IOException, InterruptedException {
    note("restore of %s".formatted(Duration.ofSeconds(backup.at() / MILLION)));
    checkReaders();
    runs.restore(backup);
    ledgers
        .values()
        .forEach(
            ledger -> {
              ledger.lostSince(backup.at());
              ledger.answersAreLost(true);
            });
    for (Commands.Command command : commands.all()) {
      command.lost |= command.queuedAt >= backup.at();
      command.restored = true;
    }
  }

  // ---- endpoints ----

  Optional<EndpointView> endpoint(MotePlan plan) {
    return mirror()
        .flatMap(
            queries ->
                queries.registeredIds().stream()
                    .filter(id -> isOf(queries, id, plan))
                    .findFirst()
                    .flatMap(queries::endpoint));
  }

  private static boolean isOf(MirrorQueries queries, String id, MotePlan plan) {
    return queries
        .presence(id)
        .filter(one -> one.ep().equals(plan.ep()) && one.d().equals(plan.domain()))
        .isPresent();
  }

  private Optional<MirrorQueries> mirror() {
    return runs.running().map(running -> running.mirror().queries());
  }

  // ---- invariants ----

  /** Checks what must hold at any time. */
  void check() throws InterruptedException {
    Optional<MirrorQueries> queries = mirror();
    if (queries.isEmpty()) {
      return;
    }
    checkReaders();
    HistoryCheck history = new HistoryCheck(queries.get());
    for (Ledger ledger : ledgers.values()) {
      endpoint(ledger.plan()).ifPresent(endpoint -> history.check(ledger, endpoint.id()));
    }
  }

  /** A mote is registered, trusted and on time. */
  void requireOnTime(int mote) {
    MotePlan plan = ledger(mote).plan();
    EndpointView endpoint =
        endpoint(plan)
            .orElseThrow(
                () -> new Violation(plan.ep() + " is not registered after the last fault"));
    Duration silent = Duration.between(endpoint.lastHeard(), time.now());
    Duration wake = Duration.ofMillis(plan.wakeMillis());
    Instant unconfirmed = VirtualTime.at(ledger(mote).unconfirmedAt());
    // The last update may be lost if it was not confirmable, but not two in a row.
    boolean lost = endpoint.lastHeard().isBefore(unconfirmed);
    Duration allowed = wake.multipliedBy(lost ? 2 : 1).plus(TOLERANCE);
    HistoryCheck.require(
        endpoint.state() == TrustState.TRUSTED && silent.compareTo(allowed) <= 0,
        "%s is %s and %s after the last fault, heard at %s, now %s",
        plan.ep(),
        endpoint.state(),
        endpoint.freshness(),
        endpoint.lastHeard(),
        time.now());
    HistoryCheck.require(
        endpoint.jkt().equals(ledger(mote).key()),
        "%s has the key %s, and the gateway knows %s",
        plan.ep(),
        ledger(mote).key(),
        endpoint.jkt());
  }

  @Override
  public void close() {
    motes.close();
    runs.close();
  }
}
