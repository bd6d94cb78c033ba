package dev.vigil.gateway.month;

import dev.vigil.mirror.read.EndpointView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** One run: motes, the gateway, and what happens to them. */
final class Month implements AutoCloseable {
  /** The gateway's clockwork runs so often at least. */
  private static final long TICK_MICROS = Duration.ofMinutes(1).toNanos() / 1000;

  private final VirtualTime time = new VirtualTime();
  private final Motes motes;
  private final SimulatedGateway gateway;
  private final Map<Integer, Ledger> ledgers = new TreeMap<>();
  private final PriorityQueue<Planned> planned = new PriorityQueue<>();
  private long order;

  /** Something that happens at a moment. */
  private record Planned(long at, long order, Happening what) implements Comparable<Planned> {
    @Override
    public int compareTo(Planned other) {
      int first = Long.compare(at, other.at);
      return first != 0 ? first : Long.compare(order, other.order);
    }
  }

  @FunctionalInterface
  interface Happening {
    void happen() throws IOException, InterruptedException;
  }

  Month(Path program, Path folder, long seed, List<MotePlan> plans) throws IOException {
    this.gateway =
        new SimulatedGateway(
            folder.resolve("data"),
            time,
            new SeededRandom(seed),
            List.of(""),
            List.of(),
            UnaryOperator.identity());
    int highest = plans.stream().mapToInt(MotePlan::id).max().orElseThrow();
    this.motes = Motes.start(program, seed, highest - 1);
    for (MotePlan plan : plans) {
      ledgers.put(plan.id(), new Ledger(plan));
      motes.setUp(plan, List.of());
      motes.setClock(plan.id(), VirtualTime.BEGINNING.getEpochSecond());
    }
  }

  VirtualTime time() {
    return time;
  }

  Ledger ledger(int mote) {
    return Optional.ofNullable(ledgers.get(mote)).orElseThrow();
  }

  void powerOn(int mote) {
    motes.powerOn(mote, true, false);
  }

  /** Has something happen later. */
  void plan(long at, Happening what) {
    planned.add(new Planned(at, order++, what));
  }

  /** Lets time pass. */
  void run(Duration duration) throws IOException, InterruptedException {
    long end = time.micros() + duration.toNanos() / 1000;
    while (time.micros() < end) {
      Planned next = planned.peek();
      if (next != null && next.at <= time.micros()) {
        planned.remove();
        next.what.happen();
        continue;
      }
      long until = Math.min(end, time.micros() + TICK_MICROS);
      step(next == null ? until : Math.min(until, next.at));
    }
  }

  private void step(long until) throws InterruptedException {
    Motes.Step step = motes.run(until);
    for (MoteReport report : step.reports()) {
      time.advance(report.at());
      take(report);
    }
    time.advance(step.at());
    gateway.tick();
  }

  private void take(MoteReport report) throws InterruptedException {
    switch (report) {
      case MoteReport.Packet packet -> gateway.receive(packet.octets()).forEach(motes::deliver);
      case MoteReport.Event event -> ledger(event.mote()).event(event);
      case MoteReport.Measured measured -> ledger(measured.mote()).measured(measured);
      case MoteReport.Acted acted -> throw new Violation(acted + " without a command");
      case MoteReport.PowerLost lost -> motes.powerOn(lost.mote(), false, false);
      case MoteReport.NotStarted failed ->
          throw new Violation(
              "%s does not start: %d".formatted(ledger(failed.mote()).plan().ep(), failed.error()));
    }
  }

  /** Checks what must hold at any time. */
  void check() {
    HistoryCheck history = new HistoryCheck(gateway.mirror().queries());
    for (Ledger ledger : ledgers.values()) {
      endpoint(ledger.plan()).ifPresent(endpoint -> history.check(ledger, endpoint.id()));
    }
  }

  Optional<EndpointView> endpoint(MotePlan plan) {
    return gateway.mirror().queries().endpoints().stream()
        .filter(one -> one.ep().equals(plan.ep()) && one.d().equals(plan.domain()))
        .findFirst();
  }

  @Override
  public void close() {
    motes.close();
    gateway.close();
  }
}
