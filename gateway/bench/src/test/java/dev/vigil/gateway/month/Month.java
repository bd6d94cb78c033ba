package dev.vigil.gateway.month;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.Presence;
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
import org.jspecify.annotations.Nullable;

/** One run: motes, the gateway, what happens to them, and what must hold. */
final class Month implements AutoCloseable {
  /** The longest time between two runs of the gateway's periodic tasks. */
  private static final long TICK_MICROS = micros(Duration.ofMinutes(1));

  /** An update may come so late that it was sent again. */
  private static final Duration TOLERANCE = Duration.ofSeconds(30);

  private static final int MILLION = 1_000_000;
  private static final int MOTES_LEVELS_END = 21;

  /** In a packet, the octet of the source address that is the mote's number. */
  private static final int SENDER = 17;

  private final Path associations;
  private final Defect defect;
  private final VirtualTime time = new VirtualTime();
  private final SplittableRandom dice;
  private final Motes motes;
  private final Commands commands;
  private final NumberCheck numbers = new NumberCheck();
  private final PacketNumberCheck packetNumbers = new PacketNumberCheck();
  private final Readers readers;
  private final Map<Integer, Ledger> ledgers = new TreeMap<>();
  private final Agenda agenda = new Agenda(time);
  private final GatewayRuns runs;
  private final List<String> domains;
  private final StringBuilder log = new StringBuilder();
  private int lossOfMillion;
  private int duplicatesOfMillion;
  private int overloadOfMillion;
  private int payloads;
  private long packets;
  private long recovered;

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

  /** The number of readings that were recovered from block stores. */
  long recovered() {
    return recovered;
  }

  /** The number of packets that reached the gateway. */
  long packets() {
    return packets;
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
    send(running, running.outgoing());
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
      case MoteReport.Packet packet -> arrive(packet.octets());
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

  // ---- packets ----

  private boolean happens(int ofMillion) {
    return ofMillion > 0 && dice.nextInt(MILLION) < ofMillion;
  }

  private void arrive(byte[] packet) throws InterruptedException {
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
          time.micros() + dice.nextLong(micros(Duration.ofMinutes(20))), () -> deliver(packet));
    }
  }

  private void record(byte[] packet) {
    Ledger sender = ledgers.get((int) packet[SENDER]);
    if (sender != null) {
      sender.record(packet);
    }
  }

  private void deliver(byte[] packet) throws InterruptedException {
    packets++;
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
        note("%d readings of endpoint %s are recovered".formatted(readings, id));
      }
      fillLater(running);
    }
  }

  private void send(SimulatedGateway running, List<byte[]> answers) throws InterruptedException {
    for (byte[] answer : readers.take(running, answers)) {
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
  private byte[] onTheWay(Ipv6Address to, byte[] datagram) {
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
    note("recorded packets of mote-%d are sent again".formatted(mote));
    List<byte[]> recorded = ledger(mote).recorded();
    for (byte[] packet : dice.nextBoolean() ? recorded.reversed() : recorded) {
      if (runs.running().isPresent()) {
        runs.running().get().receive(packet);
      }
    }
  }

  /**
   * @param air frames lost of a million, at each receiver
   * @param network packets lost of a million between root and gateway, in each direction
   * @param duplicates packets of a million that come again, at once or later
   */
  void setNetwork(int air, int network, int duplicates) {
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
        this::onTheWay,
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

  // ---- people ----

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

  /** A commander puts a command; whether the gateway has taken it. */
  boolean command(int mote, @Nullable Duration life) throws InterruptedException {
    MotePlan plan = ledger(mote).plan();
    Optional<EndpointView> endpoint = endpoint(plan);
    SimulatedGateway running = runs.running().orElse(null);
    if (running == null || endpoint.isEmpty()) {
      return false;
    }
    String id = endpoint.get().id();
    long seq = running.mirror().queries().lastCommand(id) + 1;
    String payload = "c" + payloads++;
    long expires =
        life == null ? 0 : time.now().plus(time.gatewayError()).plus(life).getEpochSecond();
    var request = commands.request(plan, id, seq, payload, expires);
    commands.taken(request, mote, payload, seq, time.micros(), life != null);
    Response response = running.answer(request);
    boolean taken = response.code().isSuccess();
    if (!taken) {
      commands.all().removeLast();
    }
    return taken;
  }

  /** An operator forgets an endpoint. */
  void forget(int mote) throws IOException, InterruptedException {
    SimulatedGateway running = runs.running().orElse(null);
    Optional<EndpointView> endpoint = endpoint(ledger(mote).plan());
    if (running != null && endpoint.isPresent()) {
      note("mote-%d is forgotten".formatted(mote));
      running.mirror().operations().forgetEndpoint(endpoint.get().id(), "account:owner").join();
      ledger(mote).lostSince(0);
      commands.all().stream()
          .filter(command -> command.mote == mote)
          .forEach(command -> command.lost = true);
      if (defect == Defect.FORGETS_NUMBERS) {
        stopGateway();
        DefectiveStore.countFromZero(runs.data(), ledger(mote).plan().ep());
        startGateway();
      }
    }
  }

  /** An operator approves all keys that wait, unless a full disk takes no decision. */
  void approve() {
    SimulatedGateway running = runs.running().orElse(null);
    if (running == null || !runs.hasRoom() || defect == Defect.NEVER_APPROVES) {
      return;
    }
    MirrorQueries queries = running.mirror().queries();
    for (String id : queries.registeredIds()) {
      if (queries.presence(id).filter(Presence::keysWait).isPresent()) {
        queries
            .endpoint(id)
            .orElseThrow()
            .waiting()
            .forEach(key -> approve(running, id, key.jkt()));
      }
    }
  }

  private void approve(SimulatedGateway running, String id, String jkt) {
    note("a key of endpoint %s is approved".formatted(id));
    running.mirror().operations().approve(jkt, id, List.of(), "account:owner").join();
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
