package dev.vigil.gateway.bench;

import static dev.vigil.gateway.bench.load.BenchSupport.cpu;
import static dev.vigil.gateway.bench.load.BenchSupport.micros;
import static dev.vigil.gateway.bench.load.BenchSupport.require;

import dev.vigil.gateway.bench.load.BenchMotes;
import dev.vigil.gateway.bench.load.BenchSupport;
import dev.vigil.gateway.bench.load.CoapLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Signed updates and reading: processor time of a gateway process under load from this process,
 * compared with OpenSSL's verifications and libcoap's server.
 */
final class MirrorBench implements Benchmark {
  /** Enough motes that two updates of one mote are never under way at the same time. */
  private static final int MOTES = 2000;

  private static final int PEERS = 256;

  @Override
  public List<Target> targets() {
    return List.of(Target.INGEST_CPU, Target.INGEST_RATE, Target.INGEST_HEAP, Target.READ_CPU);
  }

  @Override
  public List<Figure> measure(Set<Target> wanted, Effort effort) throws Exception {
    BenchMotes motes = new BenchMotes(MOTES);
    Path folder = Files.createTempDirectory("vigil-bench");
    try (BenchSupport.Server server = BenchSupport.Server.start(folder);
        CoapLoad load = new CoapLoad(server.port(), PEERS)) {
      try (CoapLoad one = new CoapLoad(server.port(), 1)) {
        // Registrations run one after the other, so that the store counts ids up in the order of
        // the motes.
        require(one.run(MOTES, motes::registration), "2.01", MOTES);
      }
      Updates updates = new Updates(motes, load, server);
      List<Figure> figures = new ArrayList<>();
      if (wanted.contains(Target.READ_CPU) && wanted.size() == 1) {
        updates.send(MOTES);
      } else {
        figures.addAll(ingest(updates, effort));
      }
      if (wanted.contains(Target.READ_CPU)) {
        figures.add(read(load, server.process(), effort));
      }
      return figures;
    } finally {
      BenchSupport.delete(folder);
    }
  }

  private static List<Figure> ingest(Updates updates, Effort effort) throws Exception {
    int measured = effort.of(30_000, 16_000);
    int pairs = effort.of(11, 3);
    for (int warm = 0; warm < effort.of(10, 4); warm++) {
      Progress.say("ingest: %.1f us an update (warm-up)", updates.send(measured).cpu());
    }
    List<Figure.Round> heap = new ArrayList<>();
    Figure ratio =
        effort.pairs(
            Target.INGEST_CPU,
            pairs,
            () -> {
              Sent sent = updates.send(measured);
              heap.add(Figure.Round.of(sent.allocated() / 1024));
              return sent.cpu();
            },
            () -> 1e6 / BenchSupport.verifications());
    int processors = Runtime.getRuntime().availableProcessors();
    Figure rate =
        effort.pairs(
            Target.INGEST_RATE,
            pairs,
            () -> updates.send(measured).rate(),
            () -> BenchSupport.verificationsOn(processors));
    return List.of(ratio, rate, new Figure(Target.INGEST_HEAP, heap));
  }

  /**
   * @param cpu microseconds of the gateway for each
   * @param rate of wall time
   * @param allocated octets for each
   */
  private record Sent(double cpu, double rate, double allocated) {}

  /** A stream of updates, each with the next number of its mote. */
  private static final class Updates {
    private final BenchMotes motes;
    private final CoapLoad load;
    private final BenchSupport.Server server;
    private int next;

    Updates(BenchMotes motes, CoapLoad load, BenchSupport.Server server) {
      this.motes = motes;
      this.load = load;
      this.server = server;
    }

    /** Signs all updates before it measures; no update may be lost. */
    Sent send(int count) throws IOException {
      byte[][] updates = new byte[count][];
      int created = Math.max(0, MOTES - next);
      for (int i = 0; i < count; i++, next++) {
        updates[i] = motes.update(next % MOTES, id(next % MOTES), "temp", 2 + next / MOTES);
      }
      long allocated = server.allocated();
      Duration before = server.cpu();
      long started = System.nanoTime();
      require(load.run(count, i -> updates[i]), "2.04", count - created);
      double seconds = (System.nanoTime() - started) / 1e9;
      return new Sent(
          micros(server.cpu().minus(before)) / count,
          count / seconds,
          (double) (server.allocated() - allocated) / count);
    }
  }

  /** A mirrored JWS of some 300 octets, and a constant of 300 on libcoap's server. */
  private static Figure read(CoapLoad load, Process gateway, Effort effort) throws Exception {
    int reads = effort.of(150_000, 60_000);
    byte[] get =
        CoapLoad.message(
            1, CoapLoad.options(List.of("ms", id(0), "temp"), -1, List.of()), new byte[0]);
    int port = BenchSupport.freePort();
    Process peer =
        BenchSupport.peer("coap-server-notls", "-A", "127.0.0.1", "-p", Integer.toString(port));
    BenchSupport.awaitAnswer(port, peer);
    try (CoapLoad theirs = new CoapLoad(port, PEERS)) {
      byte[] constant = new byte[300];
      Arrays.fill(constant, (byte) 'x');
      byte[] options = CoapLoad.options(List.of("example_data"), -1, List.of());
      require(theirs.run(1, i -> CoapLoad.message(3, options, constant)), "2.01", 1);
      byte[] getTheirs = CoapLoad.message(1, options, new byte[0]);
      reads(load, gateway, get, 2 * reads);
      return effort.pairs(
          Target.READ_CPU,
          effort.of(9, 3),
          () -> reads(load, gateway, get, reads),
          () -> reads(theirs, peer, getTheirs, reads));
    } finally {
      BenchSupport.stop(peer);
    }
  }

  private static double reads(CoapLoad load, Process server, byte[] get, int count)
      throws IOException {
    Duration before = cpu(server);
    require(load.run(count, i -> get.clone()), "2.05", count);
    return micros(cpu(server).minus(before)) / count;
  }

  /** The store counts in base 36. */
  private static String id(int mote) {
    return Integer.toString(mote + 1, Character.MAX_RADIX);
  }
}
