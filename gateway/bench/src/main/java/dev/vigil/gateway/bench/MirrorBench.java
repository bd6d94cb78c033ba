package dev.vigil.gateway.bench;

import static dev.vigil.gateway.bench.load.BenchSupport.cpu;
import static dev.vigil.gateway.bench.load.BenchSupport.micros;
import static dev.vigil.gateway.bench.load.BenchSupport.require;

import dev.vigil.gateway.bench.load.BenchSupport;
import dev.vigil.gateway.bench.load.CoapLoad;
import dev.vigil.gateway.bench.load.MirroredEndpoints;
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
  /** Enough endpoints that two updates of one endpoint are never under way at the same time. */
  private static final int ENDPOINTS = 2000;

  private static final int PEERS = 256;

  @Override
  public List<Target> targets() {
    return List.of(Target.INGEST_CPU, Target.INGEST_RATE, Target.INGEST_HEAP, Target.READ_CPU);
  }

  @Override
  public List<Figure> measure(Set<Target> wanted, Effort effort) throws Exception {
    Path folder = Files.createTempDirectory("vigil-bench");
    try (MirroredEndpoints endpoints = new MirroredEndpoints(folder, PEERS)) {
      endpoints.growTo(ENDPOINTS);
      List<Figure> figures = new ArrayList<>();
      if (!wanted.equals(Set.of(Target.READ_CPU))) {
        figures.addAll(ingest(endpoints, effort));
      }
      if (wanted.contains(Target.READ_CPU)) {
        figures.add(read(endpoints, effort));
      }
      return figures;
    } finally {
      BenchSupport.delete(folder);
    }
  }

  private static List<Figure> ingest(MirroredEndpoints endpoints, Effort effort) throws Exception {
    int measured = effort.of(30_000, 16_000);
    int pairs = effort.of(11, 3);
    Effort.warmUp(
        "ingest, us an update",
        endpoints.server().process(),
        effort.of(25, 4),
        () -> endpoints.send(measured).cpu());
    List<Figure.Round> heap = new ArrayList<>();
    Figure ratio =
        effort.pairs(
            Target.INGEST_CPU,
            pairs,
            () -> {
              MirroredEndpoints.Sent sent = endpoints.send(measured);
              heap.add(Figure.Round.of(sent.allocated() / 1024));
              return sent.cpu();
            },
            () -> 1e6 / BenchSupport.verifications());
    int processors = Runtime.getRuntime().availableProcessors();
    Figure rate =
        effort.pairs(
            Target.INGEST_RATE,
            pairs,
            () -> endpoints.send(measured).rate(),
            () -> BenchSupport.verificationsOn(processors));
    return List.of(ratio, rate, new Figure(Target.INGEST_HEAP, heap));
  }

  /** A mirrored JWS of some 300 octets, and a constant of 300 on libcoap's server. */
  private static Figure read(MirroredEndpoints endpoints, Effort effort) throws Exception {
    int reads = effort.of(150_000, 60_000);
    CoapLoad load = endpoints.load();
    Process gateway = endpoints.server().process();
    List<String> path = List.of("ms", endpoints.id(0), "temp");
    byte[] get = CoapLoad.message(1, CoapLoad.options(path, -1, List.of()), new byte[0]);
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
}
