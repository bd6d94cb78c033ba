package dev.vigil.gateway.bench;

import static dev.vigil.gateway.bench.BenchSupport.cpu;
import static dev.vigil.gateway.bench.BenchSupport.micros;
import static dev.vigil.gateway.bench.BenchSupport.require;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Registrations of five links over CoAP: processor time of a durable directory, and of libcoap's
 * {@code coap-rd}, which is not durable and has no lookup.
 */
final class RegistrationBench implements Benchmark {
  private static final int PEERS = 60;

  @Override
  public List<Target> targets() {
    return List.of(Target.REGISTER_CPU);
  }

  @Override
  public List<Figure> measure(Set<Target> wanted, Effort effort) throws Exception {
    int count = effort.of(50_000, 20_000);
    int port = BenchSupport.freePort();
    Process peer =
        BenchSupport.peer("coap-rd-notls", "-A", "127.0.0.1", "-p", Integer.toString(port));
    Path folder = Files.createTempDirectory("vigil-bench");
    try (BenchSupport.Server server = BenchSupport.Server.start(DirectoryServer.class, folder)) {
      BenchSupport.awaitAnswer(port, peer);
      Registrations ours = new Registrations(server.port(), server.process());
      Registrations theirs = new Registrations(port, peer);
      ours.send(2 * count);
      return List.of(
          effort.pairs(
              Target.REGISTER_CPU,
              effort.of(5, 3),
              () -> ours.send(count),
              () -> theirs.send(count)));
    } finally {
      BenchSupport.stop(peer);
      BenchSupport.delete(folder);
    }
  }

  /** New endpoints, each once. */
  private static final class Registrations {
    private final int port;
    private final Process server;
    private int next;

    Registrations(int port, Process server) {
      this.port = port;
      this.server = server;
    }

    /** Microseconds of CPU for each. */
    double send(int count) throws IOException {
      int first = next;
      next += count;
      try (CoapLoad load = new CoapLoad(port, PEERS)) {
        Duration before = cpu(server);
        require(load.run(count, i -> registration(first + i)), "2.01", count);
        return micros(cpu(server).minus(before)) / count;
      }
    }

    private static byte[] registration(int i) {
      return CoapLoad.message(
          2,
          CoapLoad.options(List.of("rd"), 40, List.of(FiveLinks.query(i).split("&"))),
          FiveLinks.links(i).getBytes(StandardCharsets.UTF_8));
    }
  }
}
